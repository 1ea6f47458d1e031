/**
 * Releases a batch (docs/reference/provider-contract.md §8). The delay and the undo of the attempt change only rows of
 * the fetch: rows that arrived later, or were hidden then, do not change.
 *
 * The rows of a blocked batch keep their token, by which the next fetch finds them, visible or not.
 */
import type { AbandonOptions } from "../../../contract/provider.ts";
import { toDurationMs } from "../../../stores/arguments.ts";
import { blockAfter } from "../blocked.ts";
import { findInstanceLock } from "../locks.ts";
import type { Store } from "../store.ts";

const OPERATION = "abandonOrchestrationItem";

export function abandonOrchestrationItem(
  store: Store,
  lockToken: string,
  { delayMs: givenMs = 0, ignoreAttempt = false, blocked }: AbandonOptions = {},
): void {
  const delayMs = toDurationMs(OPERATION, "delayMs", givenMs);
  const { instanceId } = findInstanceLock(store, OPERATION, lockToken);
  const nowMs = store.clock.now();
  for (const row of store.messages) {
    if (row.lockToken !== lockToken) continue;
    if (blocked === undefined) row.lockToken = undefined;
    if (delayMs > 0) row.visibleAtMs = nowMs + delayMs;
    if (ignoreAttempt) row.attemptCount = Math.max(0, row.attemptCount - 1);
  }
  const before = store.blockedInstances.get(instanceId);
  store.blockedInstances.delete(instanceId);
  if (blocked !== undefined) {
    const block = blockAfter(before, blocked, nowMs, delayMs);
    store.blockedInstances.set(instanceId, { ...block, batch: lockToken });
  }
  store.instanceLocks.delete(instanceId);
}
