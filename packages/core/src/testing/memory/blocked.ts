/** Blocked work (docs/reference/provider-contract.md §8.1). */
import type { BlockedPage, ListBlockedOptions } from "../../contract/admin.ts";
import { checkListBlocked } from "../../contract/admin-arguments.ts";
import { DEFAULT_PAGE } from "../../contract/query-arguments.ts";
import type { Blocked, BlockedReason } from "../../contract/status.ts";
import { continuationOf, positionOf } from "../../stores/continuation.ts";
import { toActivity } from "./codec.ts";
import type { ActivityRow, Block, InstanceBlock, Store } from "./store.ts";

/** The stored block after a release; it continues the count of the previous block. */
export function blockAfter(
  before: Block | undefined,
  reason: BlockedReason,
  nowMs: number,
  delayMs: number,
): Block {
  return {
    reason: reason.reason,
    detail: reason.detail,
    sinceMs: before?.sinceMs ?? nowMs,
    attempts: (before?.attempts ?? 0) + 1,
    nextTryAtMs: nowMs + delayMs,
  };
}

export function blockedInstance(instanceId: string, { batch: _batch, ...block }: InstanceBlock): Blocked {
  return { instanceId, ...block };
}

export function blockedActivity(row: ActivityRow, block: Block): Blocked {
  const { instanceId, executionId, activityId } = row;
  return { instanceId, ...block, activity: { executionId, activityId, name: toActivity(row).name } };
}

const LIST = { list: "listBlocked" };

/** Longest first. The continuation is the number of entries that were read before. */
export function listBlocked(store: Store, options: ListBlockedOptions = {}): BlockedPage {
  checkListBlocked(LIST.list, options);
  const { instanceId, limit = DEFAULT_PAGE, continuation } = options;
  if (instanceId !== undefined) {
    return { blocked: allBlocked(store).filter((each) => each.instanceId === instanceId) };
  }
  const [read = 0] =
    positionOf(LIST.list, LIST, continuation, ([entries]) => typeof entries === "number") ?? [];
  const from = Number(read);
  const all = [...allBlocked(store)].sort((a, b) => a.sinceMs - b.sinceMs);
  const blocked = all.slice(from, from + limit);
  return from + limit < all.length
    ? { blocked, continuation: continuationOf(LIST, [from + limit]) }
    : { blocked };
}

export function allBlocked(store: Store): readonly Blocked[] {
  const instances = [...store.blockedInstances].map(([id, block]) => blockedInstance(id, block));
  const activities = store.activities.flatMap((row) =>
    row.block === undefined ? [] : [blockedActivity(row, row.block)],
  );
  return [...instances, ...activities];
}
