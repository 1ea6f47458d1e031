/**
 * The instance document, as stored and with our notes. The notes travel in one field that Rust ignores and drops
 * when it writes; without them what they say is looked up, or unknown.
 */
import { messageOf, ProviderError } from "@duroxide-ts/core/stores";
import type { BlockedNote } from "./blocked.ts";
import { type Body, NOTES_FIELD, type Stored } from "./body.ts";
import { type DocumentOf, decodeDocument } from "./documents.ts";

export type InstanceDocument = DocumentOf<"instance">;

export interface Notes {
  /** The rows that the holder of the lock has taken, with their attempts. */
  readonly taken?: Readonly<Record<string, number>>;
  /** Secrets of the last turns that were committed, newest first: a lost answer is found here. */
  readonly turns?: readonly string[];
  /** Of the current execution; 0 where it has none. */
  readonly lastEventId?: number;
  /** Of the current execution, ms since the epoch. */
  readonly startedAt?: number;
  readonly completedAt?: number;
  /** The pinned version, where it does not survive being packed into a number as Rust does. */
  readonly pinned?: string;
  /** Which layers of KV may have documents. */
  readonly kv?: KvLayers;
  /** ErrorDetails as JSON text, where the current execution failed. */
  readonly failure?: string;
  /** The key of the deletion that this instance belongs to. */
  readonly deletion?: string;
  /** Why the last batch was given back. */
  readonly blocked?: BlockedNote;
  /** Rows that are about to run alone, or did. */
  readonly alone?: readonly string[];
}

export interface KvLayers {
  readonly store: boolean;
  readonly delta: boolean;
}

/** An instance as it was read or written last. */
export interface Instance {
  readonly document: InstanceDocument;
  readonly etag: string;
  readonly notes: Notes;
}

/** `corrupt-data` where somebody edited it beyond recognition. */
export function toInstance(operation: string, stored: Stored): Instance {
  const field = stored[NOTES_FIELD];
  const notes = typeof field === "object" && field !== null ? (field as Notes) : {};
  try {
    return { document: decodeDocument("instance", stored), etag: stored._etag, notes };
  } catch (cause) {
    throw new ProviderError({
      code: "corrupt-data",
      operation,
      message: `document ${JSON.stringify(stored.id)} cannot be decoded: ${messageOf(cause)}. Repair or delete it`,
      cause,
    });
  }
}

/** What readers are told. The document keeps what is stored, so that a lock writes no guess. */
export function statusOf({ document, notes }: Instance): Pick<InstanceDocument, "status" | "output"> {
  const { status, output } = document;
  return runsOn(status, notes.completedAt) ? { status: "Running", output: null } : { status, output };
}

/**
 * Rust never resets the status when a continued instance goes on (hazard W11): where our note of the end is missing, its
 * next execution runs, or is about to.
 */
export function runsOn(status: string, completedAt: number | undefined): boolean {
  return status === "ContinuedAsNew" && completedAt === undefined;
}

/** As this process has just written it. */
export function writtenInstance(
  operation: string,
  id: string,
  body: Body,
  etag: string | undefined,
): Instance {
  return toInstance(operation, { ...body, id, _etag: etag ?? "" });
}

/** Documents that exist only to hold a lock are no instances to anybody (hazard W22). */
export function isNamed({ document, notes }: Instance): boolean {
  return document.orchestrationName !== "" && notes.deletion === undefined;
}
