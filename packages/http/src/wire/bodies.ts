/** Bodies that the handler and `HttpClient` exchange. */
import type { InputIssue } from "@duroxide-ts/core/browser";

/** The content type of a start with options; a body of any other type is the input itself. */
export const START_TYPE = "application/vnd.duroxide.start+json";

/** Body of the content type `START_TYPE`. */
export interface StartBody {
  readonly input?: unknown;
  readonly options?: StartBodyOptions;
}

/** The options of `client.start` as JSON: an instant as a text, events and queues by their names. */
export interface StartBodyOptions extends Readonly<Record<string, unknown>> {
  readonly instanceId?: string;
  readonly version?: string;
}

/** Body of the answer to a start. */
export interface Started {
  readonly instanceId: string;
  /** Whether the id was free. */
  readonly created: boolean;
  readonly links: Links;
}

/** Addresses of an instance. The name of an event is appended to `events`. */
export interface Links {
  readonly status: string;
  readonly result: string;
  readonly events: string;
  readonly cancel: string;
}

/**
 * The content type of a stream for programs: a `LifeLine`, then the items with all their fields, one a line, and `END_LINE`
 * behind the last, or an `ErrorBody`.
 */
export const LINES_TYPE = "application/x-ndjson";
export const END_LINE = '{"end":true}';

/** The line before the first item. An instance that is started under the id of another one has another life. */
export interface LifeLine {
  readonly life: string;
}

/** Body of an answer that refuses a request, or tells of a failure. */
export interface ErrorBody {
  readonly error: ErrorFields;
}

/** The fields of an error. Those of its class are there for the errors of core. */
export interface ErrorFields {
  readonly code: string;
  readonly message: string;
  /** Name of the class. */
  readonly name?: string;
  readonly issues?: readonly InputIssue[];
  readonly instanceId?: string;
  readonly status?: string;
  readonly orchestration?: string;
  readonly question?: string;
  readonly stream?: string;
  readonly messageId?: string;
  readonly operation?: string;
  readonly detail?: string;
  readonly retryable?: boolean;
  readonly details?: object;
}

const FIELDS: readonly (keyof ErrorFields)[] = [
  "code",
  "message",
  "name",
  "issues",
  "instanceId",
  "status",
  "orchestration",
  "question",
  "stream",
  "messageId",
  "operation",
  "detail",
  "retryable",
  "details",
];

/** The body for an error of core, from its fields: the error may come from another copy of core. */
export function errorBody(error: Error & { readonly code: string }): ErrorBody {
  const all = error as unknown as Readonly<Record<string, unknown>>;
  const given = FIELDS.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]);
  return { error: Object.fromEntries(given) as ErrorFields };
}
