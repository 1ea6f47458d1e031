/**
 * The instance document, as stored and with our notes. The notes are in one field, which Rust ignores and removes when
 * it writes. Without the notes their data is queried, or unknown.
 */
import {
  decodeErrorDetails,
  type ErrorDetails,
  messageOf,
  ProviderError,
  type Suspended,
} from "@duroxide-ts/core/stores";
import type { BlockedNote } from "./blocked.ts";
import { type Body, NOTES_FIELD, type Stored } from "./body.ts";
import { type DocumentOf, decodeDocument } from "./documents.ts";

export type InstanceDocument = DocumentOf<"instance">;

export interface Notes {
  /** The rows that the holder of the lock has taken, with their attempts. */
  readonly taken?: Readonly<Record<string, number>>;
  /**
   * Secrets of the last committed turns, newest first. After a lost response they show whether the commit was executed.
   */
  readonly turns?: readonly string[];
  /** The last event id of the current execution; 0 if it has none. */
  readonly lastEventId?: number;
  /** The start of the current execution, ms since the epoch. */
  readonly startedAt?: number;
  readonly completedAt?: number;
  /** The pinned version, if Rust's packed form loses a part of it. */
  readonly pinned?: string;
  /** Layers of KV that may have documents. */
  readonly kv?: KvLayers;
  /** ErrorDetails as JSON text, if the current execution failed. */
  readonly failure?: string;
  /** The key of the deletion that this instance belongs to. */
  readonly deletion?: string;
  /** An operator has suspended it: no turn of it begins. */
  readonly suspended?: Suspended;
  /** Time before which the code of the current execution does not begin, ms since the epoch. */
  readonly startsAt?: number;
  /** The key of the limit of its start, until it has ended. */
  readonly limitKey?: string;
  /** The call by which it waits for its permit, and for how long it does. */
  readonly waitsFor?: number;
  /** Texts of its tags (tags.ts). */
  readonly tags?: readonly string[];
  /** Why the last batch was released as blocked. */
  readonly blocked?: BlockedNote;
  /** Rows that began to run alone, each as often as it did. */
  readonly alone?: readonly string[];
}

export interface KvLayers {
  readonly store: boolean;
  readonly delta: boolean;
}

/** The notes without those that are undefined. */
export function optional(notes: { readonly [K in keyof Notes]: Notes[K] | undefined }): Notes {
  return Object.fromEntries(Object.entries(notes).filter(([, value]) => value !== undefined));
}

/** An instance as it was last read or written. */
export interface Instance {
  readonly document: InstanceDocument;
  readonly etag: string;
  readonly notes: Notes;
}

/** `corrupt-data` if a manual change made the document unreadable. */
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

/** The details of a failure; the output contains them too, so what cannot be decoded is absent. */
export function failureDetails(text: string | undefined): ErrorDetails | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeErrorDetails(text);
  } catch {
    return undefined;
  }
}

type HoldingNotes = Pick<Notes, "limitKey" | "waitsFor">;

/** The limit that holds the code of the instance back, if one does. */
export function heldBack({ limitKey: limit, waitsFor }: HoldingNotes): { readonly limit?: string } {
  return limit === undefined || waitsFor === undefined ? {} : { limit };
}

/** The status for readers. The document keeps the stored status, so that a lock writes no estimate. */
export function statusOf({ document, notes }: Instance): Pick<InstanceDocument, "status" | "output"> {
  const { status, output } = document;
  return runsOn(status, notes.completedAt) ? { status: "Running", output: null } : { status, output };
}

/**
 * Rust does not reset the status when a continued instance begins its next execution (hazard W11): without our note of
 * the end, the next execution runs, or will begin.
 */
export function runsOn(status: string, completedAt: number | undefined): boolean {
  return status === "ContinuedAsNew" && completedAt === undefined;
}

/** The instance as this process has just written it. */
export function writtenInstance(
  operation: string,
  id: string,
  body: Body,
  etag: string | undefined,
): Instance {
  return toInstance(operation, { ...body, id, _etag: etag ?? "" });
}

/** Whether the instance exists for clients. A document that only has a lock does not count (hazard W22). */
export function isNamed({ document, notes }: Instance): boolean {
  return document.orchestrationName !== "" && notes.deletion === undefined;
}
