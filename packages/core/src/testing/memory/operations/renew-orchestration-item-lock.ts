/** Moves a valid lock's deadline, never backwards (docs/reference/provider-contract.md §8). */
import { findValidInstanceLock } from "../locks.ts";
import { checkDuration } from "../refusals.ts";
import type { Store } from "../store.ts";

const OPERATION = "renewOrchestrationItemLock";

export function renewOrchestrationItemLock(store: Store, lockToken: string, extendMs: number): void {
  checkDuration(OPERATION, "extendMs", extendMs);
  const nowMs = store.clock.now();
  const { lock } = findValidInstanceLock(store, OPERATION, lockToken, nowMs);
  lock.lockedUntilMs = Math.max(lock.lockedUntilMs, nowMs + extendMs);
}
