/** Moves a valid lock's deadline, never backwards (docs/reference/provider-contract.md §8, §8.2). */
import type { RenewOptions } from "../../../contract/provider.ts";
import { toDurationMs } from "../../../stores/arguments.ts";
import { findValidInstanceLock } from "../locks.ts";
import type { Store } from "../store.ts";

const OPERATION = "renewOrchestrationItemLock";

export function renewOrchestrationItemLock(
  store: Store,
  lockToken: string,
  extendMs: number,
  { ignoreAttempt = false, alone = false }: RenewOptions = {},
): void {
  const extensionMs = toDurationMs(OPERATION, "extendMs", extendMs);
  const nowMs = store.clock.now();
  const { lock } = findValidInstanceLock(store, OPERATION, lockToken, nowMs);
  lock.lockedUntilMs = Math.max(lock.lockedUntilMs, nowMs + extensionMs);
  for (const row of store.messages) {
    if (row.lockToken !== lockToken) continue;
    if (ignoreAttempt) row.attemptCount = Math.max(0, row.attemptCount - 1);
    if (alone) row.loneRuns++;
  }
}
