/** One row in a queue; the instance need not exist, and does not begin to by this (docs/reference/provider-contract.md §10). */
import type { ActivityExecute, OrchestratorItem } from "../../../wire/work-item.ts";
import { toActivityRow, toMessageRow } from "../codec.ts";
import { checkDuration } from "../refusals.ts";
import type { Store } from "../store.ts";

export function enqueueForOrchestrator(store: Store, item: OrchestratorItem, delayMs = 0): void {
  const operation = "enqueueForOrchestrator";
  checkDuration(operation, "delayMs", delayMs);
  const nowMs = store.clock.now();
  store.messages.push(toMessageRow(operation, item, nowMs, nowMs + delayMs));
}

export function enqueueForWorker(store: Store, item: ActivityExecute): void {
  store.activities.push(toActivityRow("enqueueForWorker", item, store.clock.now()));
}
