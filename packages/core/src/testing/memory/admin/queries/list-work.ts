/** Rows of both queues with their locks: messages by the time at which they are visible, activities as they were queued. */
import { waitingFor } from "../../../../contract/limits.ts";
import type { QueuedWork, WorkPage, WorkQuery } from "../../../../contract/queries.ts";
import { checkWorkQuery, DEFAULT_PAGE } from "../../../../contract/query-arguments.ts";
import { continuationOf, positionOf } from "../../../../stores/continuation.ts";
import { describedText } from "../../../../stores/described-item.ts";
import { decodeWorkItem } from "../../../../wire/codec.ts";
import { PERMIT_TAG } from "../../../../wire/known-code.ts";
import { opensAtMs } from "../../limits/permits.ts";
import { isActivityLocked, isInstanceLocked } from "../../locks.ts";
import type { ActivityRow, MessageRow, Store } from "../../store.ts";

const OPERATION = "listWork";

/** The continuation is the number of rows that were listed before. */
export function listWork(store: Store, query: WorkQuery = {}): WorkPage {
  checkWorkQuery(OPERATION, query);
  const { limit = DEFAULT_PAGE, continuation, ...asked } = query;
  const [from = 0] = positionOf(OPERATION, asked, continuation, ([rows]) => typeof rows === "number") ?? [];
  const start = Number(from);
  const all = rowsOf(store, query).filter((row) => matches(store, row, query));
  const work = all.slice(start, start + limit);
  if (start + limit >= all.length) return { work };
  return { work, continuation: continuationOf(asked, [start + limit]) };
}

function rowsOf(store: Store, { kind }: WorkQuery): readonly QueuedWork[] {
  const nowMs = store.clock.now();
  const messages = kind === "worker" ? [] : store.messages.map((row) => message(store, row, nowMs));
  // The permit of an instance that runs is no work.
  const rows = store.activities.filter((row) => row.tag !== PERMIT_TAG || row.lockToken === undefined);
  const activities = kind === "orchestrator" ? [] : rows.map((row) => activity(store, row, nowMs));
  return [...messages, ...activities].sort((a, b) => a.visibleAtMs - b.visibleAtMs);
}

function message(store: Store, row: MessageRow, nowMs: number): QueuedWork {
  const lock = store.instanceLocks.get(row.instanceId);
  const isLocked = isInstanceLocked(store, row.instanceId, nowMs);
  return {
    kind: "orchestrator",
    instanceId: row.instanceId,
    ...describedText(row.workItem, decodeWorkItem),
    visibleAtMs: row.visibleAtMs,
    ...(isLocked && lock !== undefined && { lockedUntilMs: lock.lockedUntilMs }),
    ...(store.suspended.has(row.instanceId) && { suspended: true }),
    attempts: row.attemptCount,
  };
}

function activity(store: Store, row: ActivityRow, nowMs: number): QueuedWork {
  const { tag, sessionId } = row;
  return {
    kind: "worker",
    instanceId: row.instanceId,
    ...describedText(row.workItem, decodeWorkItem),
    visibleAtMs: row.visibleAtMs,
    ...(isActivityLocked(row, nowMs) && { lockedUntilMs: row.lockedUntilMs }),
    attempts: row.attemptCount,
    ...(tag !== undefined && { tag }),
    ...(sessionId !== undefined && { session: sessionId }),
    ...heldBack(store, row, nowMs),
  };
}

function heldBack(store: Store, row: ActivityRow, nowMs: number): Pick<QueuedWork, "limit" | "reason"> {
  const { limit, visibleAtMs } = row;
  if (limit === undefined || visibleAtMs > nowMs || isActivityLocked(row, nowMs)) return {};
  return opensAtMs(store, limit, nowMs) <= nowMs ? {} : { limit, reason: waitingFor(limit) };
}

function matches(store: Store, row: QueuedWork, { instanceId, overdueByMs, tag }: WorkQuery): boolean {
  if (instanceId !== undefined && row.instanceId !== instanceId) return false;
  if (tag !== undefined && row.tag !== tag) return false;
  if (overdueByMs === undefined) return true;
  const isFree = row.lockedUntilMs === undefined && row.suspended === undefined && row.limit === undefined;
  return isFree && row.visibleAtMs <= store.clock.now() - overdueByMs;
}
