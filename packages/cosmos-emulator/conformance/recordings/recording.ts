/** Requests and answers of an endpoint as they are kept: without secrets, and so that they can be sent again. */
import type { Fields } from "../client/reply.ts";

export const FORMAT_VERSION = 1;

export interface Recording {
  readonly formatVersion: typeof FORMAT_VERSION;
  /** `azure` for the hosted service. */
  readonly recordedFrom: string;
  /** Definition of the container, without the additions of the service. */
  readonly container: Fields;
  /** Number of physical partitions of the container. */
  readonly physicalPartitions: number;
  readonly exchanges: readonly RecordedExchange[];
}

/**
 * Values that the service makes up, such as etags, stand as placeholders: the same value has the same one everywhere,
 * so that a request can name what an earlier answer had.
 */
export interface RecordedExchange {
  /** The step of the check that sent it. */
  readonly step: string;
  readonly request: {
    readonly method: string;
    /** Link of the resource, with a placeholder for the database. */
    readonly link: string;
    /** Path after the port, where it is not the link. */
    readonly path?: string;
    /** Headers that the client does not add by itself. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly answer: {
    readonly status: number;
    readonly substatus: number;
    /** Values that say nothing of the account are kept, all others are empty or placeholders. */
    readonly headers: Readonly<Record<string, string>>;
    /** JSON where it is JSON, otherwise a text. */
    readonly body?: unknown;
  };
}

export const DATABASE = "«database»";

/** A placeholder, such as `«etag-3»`. */
export const PLACEHOLDER: RegExp = /«[a-z]+-\d+»/g;
