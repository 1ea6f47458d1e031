/**
 * Adds one row to a queue; the instance need not exist, and is not created (docs/reference/provider-contract.md §10).
 */
import type { EnqueueOptions, EnqueueOutcome } from "../../../contract/provider.ts";
import { hasEnded } from "../../../contract/status.ts";
import { checkItem, toDurationMs, toMessageId } from "../../../stores/arguments.ts";
import { isOfAnother } from "../../../stores/taken-id.ts";
import type { ActivityExecute, OrchestratorItem } from "../../../wire/work-item.ts";
import { toActivityRow, toMessageRow } from "../codec.ts";
import type { Store } from "../store.ts";
import { takenBy } from "./taken-by.ts";

export function enqueueForOrchestrator(
  store: Store,
  item: OrchestratorItem,
  delayMs?: number,
  options?: EnqueueOptions,
): EnqueueOutcome {
  const operation = "enqueueForOrchestrator";
  checkItem(operation, item);
  const hiddenForMs = toDurationMs(operation, "delayMs", delayMs ?? 0);
  const messageId = toMessageId(operation, item, options);
  const nowMs = store.clock.now();
  const row = toMessageRow(operation, item, nowMs, nowMs + hiddenForMs);
  if (messageId !== undefined && isRemembered(store, row.instanceId, messageId, nowMs)) return "stored";
  if (options?.ifMissing === "fail") {
    const taken = takenBy(store, row.instanceId);
    if (taken === undefined) return "not-found";
    if (hasEnded(taken.status) && !store.suspended.has(row.instanceId)) return "ended";
  }
  const taken = options?.ifTaken === undefined ? undefined : takenBy(store, row.instanceId);
  if (taken !== undefined && isOfAnother(taken, item)) return taken;
  if (messageId !== undefined) remember(store, row.instanceId, messageId, nowMs);
  store.messages.push(row);
  return taken === undefined ? "stored" : "reused";
}

const A_DAY_MS = 86_400_000;

export function isRemembered(store: Store, instanceId: string, messageId: string, nowMs: number): boolean {
  return (store.messageIds.get(instanceId)?.get(messageId) ?? 0) > nowMs;
}

/** Remembers the id for a day, whether the message is consumed or not. */
export function remember(store: Store, instanceId: string, messageId: string, nowMs: number): void {
  const ids = store.messageIds.get(instanceId) ?? new Map<string, number>();
  store.messageIds.set(instanceId, ids);
  for (const [id, untilMs] of ids) {
    if (untilMs > nowMs) break;
    ids.delete(id);
  }
  ids.set(messageId, nowMs + A_DAY_MS);
}

export function enqueueForWorker(store: Store, item: ActivityExecute): void {
  checkItem("enqueueForWorker", item);
  store.activities.push(toActivityRow("enqueueForWorker", item, store.clock.now()));
}
