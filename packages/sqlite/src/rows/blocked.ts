/** Why work was released as blocked, as JSON in a row (docs/reference/provider-contract.md §8.1). */
import {
  type ActivityExecute,
  type Blocked,
  type BlockedReason,
  readBlock,
  type StoredBlock,
  storedJson,
} from "@duroxide-ts/core/stores";
import { decodeActivity } from "./codec.ts";

/** All fields that the row does not have as columns. */
export interface Block extends StoredBlock {
  /** Secret with which the rows of the batch of a blocked instance are tagged. */
  readonly batch?: string;
}

/** A block as columns. */
export interface BlockColumns {
  readonly blocked_since: number | null;
  readonly blocked: string | null;
}

/** An activity with its block, as columns. */
export interface BlockedActivityRow {
  readonly blocked: string;
  readonly work_item: string;
}

const NOT_BLOCKED: BlockColumns = { blocked_since: null, blocked: null };

/** The stored block after a release; it continues the count of the previous block. */
export function blockAfter(
  before: string | null,
  reason: BlockedReason | undefined,
  {
    nowMs,
    nextTryAtMs,
    batch,
  }: { readonly nowMs: number; readonly nextTryAtMs: number; readonly batch?: string },
): BlockColumns {
  if (reason === undefined) return NOT_BLOCKED;
  const known = before === null ? undefined : parseBlock(before);
  const block: Block = {
    reason: reason.reason,
    detail: reason.detail,
    sinceMs: known?.sinceMs ?? nowMs,
    attempts: (known?.attempts ?? 0) + 1,
    nextTryAtMs,
    ...(batch !== undefined && { batch }),
  };
  return { blocked_since: block.sinceMs, blocked: JSON.stringify(block) };
}

export function parseBlock(text: string): Block {
  return readBlock<Block>(storedJson(text));
}

export function toBlocked(instanceId: string, text: string): Blocked {
  const { batch: _batch, ...block } = parseBlock(text);
  return { instanceId, ...block };
}

export function toBlockedActivity(item: ActivityExecute, text: string): Blocked {
  const { instance, execution_id: executionId, id, name } = item;
  const activity = { executionId: Number(executionId), activityId: Number(id), name };
  return { ...toBlocked(instance, text), activity };
}

/** Empty for an activity that cannot be decoded; the next fetch sets it aside. */
export function blockedActivity({ blocked, work_item: workItem }: BlockedActivityRow): readonly Blocked[] {
  try {
    return [toBlockedActivity(decodeActivity(workItem), blocked)];
  } catch {
    return [];
  }
}
