/**
 * Gives a batch back (docs/reference/provider-contract.md §8). Delay and attempt undo touch only the rows that
 * the fetch took: whatever arrived later, or was hidden then, stays as it is.
 */
import type { AbandonOptions } from "../../../contract/provider.ts";
import { findInstanceLock } from "../locks.ts";
import { checkDuration } from "../refusals.ts";
import type { Store } from "../store.ts";

const OPERATION = "abandonOrchestrationItem";

export function abandonOrchestrationItem(
  store: Store,
  lockToken: string,
  { delayMs = 0, ignoreAttempt = false }: AbandonOptions = {},
): void {
  checkDuration(OPERATION, "delayMs", delayMs);
  const { instanceId } = findInstanceLock(store, OPERATION, lockToken);
  const visibleAtMs = store.clock.now() + delayMs;
  for (const row of store.messages) {
    if (row.lockToken !== lockToken) continue;
    row.lockToken = undefined;
    if (delayMs > 0) row.visibleAtMs = visibleAtMs;
    if (ignoreAttempt) row.attemptCount = Math.max(0, row.attemptCount - 1);
  }
  store.instanceLocks.delete(instanceId);
}
