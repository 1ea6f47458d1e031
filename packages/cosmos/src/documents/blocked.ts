/**
 * Why work was released as blocked (docs/reference/provider-contract.md §8.1): a note on the instance or on the row of
 * the activity. Rust ignores it and removes it when it writes the document; the work is then retried without a
 * back-off.
 */
import type { Blocked } from "@duroxide-ts/core";
import { type BlockedReason, readBlock, type StoredBlock } from "@duroxide-ts/core/stores";
import { NOTES_FIELD } from "./body.ts";

export interface BlockedNote extends StoredBlock {
  /** The name of the activity, so that a list need not read its input. */
  readonly name?: string;
}

/** The longest stored detail, so that it cannot fill the document. */
const MOST_DETAIL = 2_000;

/** Increments the count of an existing note, or creates the first. */
export function blockedAgain(
  before: BlockedNote | undefined,
  { reason, detail }: BlockedReason,
  { nowMs, nextTryAtMs }: { readonly nowMs: number; readonly nextTryAtMs: number },
): BlockedNote {
  return {
    reason,
    detail: detail.slice(0, MOST_DETAIL),
    sinceMs: before?.sinceMs ?? nowMs,
    attempts: (before?.attempts ?? 0) + 1,
    nextTryAtMs,
  };
}

/** A document with such a note, as a query of `BLOCKED_COLUMNS` returns it. */
export interface BlockedDocument {
  readonly instanceId: string;
  readonly executionId?: number | null;
  readonly activityId?: number | null;
  readonly blocked: BlockedNote;
}

export const BLOCKED_COLUMNS: string = `c.instanceId, c.executionId, c.activityId, c.${NOTES_FIELD}.blocked`;

/** The condition on which its index is used. */
export const IS_BLOCKED: string = `c.${NOTES_FIELD}.blocked.sinceMs >= 0`;

export function toBlocked({ instanceId, executionId, activityId, blocked }: BlockedDocument): Blocked {
  const { reason, detail, sinceMs, attempts, nextTryAtMs } = readBlock(blocked);
  const { name } = blocked;
  const activity =
    typeof executionId === "number" && typeof activityId === "number" && name !== undefined
      ? { activity: { executionId, activityId, name } }
      : {};
  return { instanceId, ...activity, reason, detail, sinceMs, attempts, nextTryAtMs };
}
