/**
 * Adds one row to a queue; the instance need not exist, and is not created (docs/reference/provider-contract.md §10).
 */
import type { EnqueueOptions } from "../../../contract/provider.ts";
import { checkItem, toDurationMs, toMessageId } from "../../../stores/arguments.ts";
import type { ActivityExecute, OrchestratorItem } from "../../../wire/work-item.ts";
import { toActivityRow, toMessageRow } from "../codec.ts";
import type { Store } from "../store.ts";

export function enqueueForOrchestrator(
  store: Store,
  item: OrchestratorItem,
  delayMs?: number,
  options?: EnqueueOptions,
): void {
  const operation = "enqueueForOrchestrator";
  checkItem(operation, item);
  const hiddenForMs = toDurationMs(operation, "delayMs", delayMs ?? 0);
  const messageId = toMessageId(operation, item, options);
  const nowMs = store.clock.now();
  const row = toMessageRow(operation, item, nowMs, nowMs + hiddenForMs);
  if (messageId !== undefined && !remember(store, row.instanceId, messageId, nowMs)) return;
  store.messages.push(row);
}

const A_DAY_MS = 86_400_000;

export function isRemembered(store: Store, instanceId: string, messageId: string, nowMs: number): boolean {
  return (store.messageIds.get(instanceId)?.get(messageId) ?? 0) > nowMs;
}

/** False if a message with this id was stored within the last day, consumed or not. */
export function remember(store: Store, instanceId: string, messageId: string, nowMs: number): boolean {
  const ids = store.messageIds.get(instanceId) ?? new Map<string, number>();
  store.messageIds.set(instanceId, ids);
  for (const [id, untilMs] of ids) {
    if (untilMs > nowMs) break;
    ids.delete(id);
  }
  if (ids.has(messageId)) return false;
  ids.set(messageId, nowMs + A_DAY_MS);
  return true;
}

export function enqueueForWorker(store: Store, item: ActivityExecute): void {
  checkItem("enqueueForWorker", item);
  store.activities.push(toActivityRow("enqueueForWorker", item, store.clock.now()));
}
