/** Moves a valid lock's deadline, never backwards (docs/reference/provider-contract.md §8, §8.2). */
import type { RenewOptions } from "../../../contract/provider.ts";
import { findValidInstanceLock } from "../locks.ts";
import { checkDuration } from "../refusals.ts";
import type { Store } from "../store.ts";

const OPERATION = "renewOrchestrationItemLock";

export function renewOrchestrationItemLock(
  store: Store,
  lockToken: string,
  extendMs: number,
  { ignoreAttempt = false, alone = false }: RenewOptions = {},
): void {
  checkDuration(OPERATION, "extendMs", extendMs);
  const nowMs = store.clock.now();
  const { lock } = findValidInstanceLock(store, OPERATION, lockToken, nowMs);
  lock.lockedUntilMs = Math.max(lock.lockedUntilMs, nowMs + extendMs);
  for (const row of store.messages) {
    if (row.lockToken !== lockToken) continue;
    if (ignoreAttempt) row.attemptCount = Math.max(0, row.attemptCount - 1);
    if (alone) row.ranAlone = true;
  }
}
