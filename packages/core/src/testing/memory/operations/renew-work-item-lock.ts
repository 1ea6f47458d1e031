/**
 * Extends an activity's lock, never shortens it; fails if the activity was cancelled
 * (docs/reference/provider-contract.md §8.2, §10).
 */
import type { RenewOptions } from "../../../contract/provider.ts";
import { toDurationMs } from "../../../stores/arguments.ts";
import { findValidActivityLock } from "../locks.ts";
import type { Store } from "../store.ts";
import { touchSession } from "./sessions.ts";

const OPERATION = "renewWorkItemLock";

export function renewWorkItemLock(
  store: Store,
  lockToken: string,
  extendMs: number,
  { ignoreAttempt = false, alone = false }: RenewOptions = {},
): void {
  const extensionMs = toDurationMs(OPERATION, "extendMs", extendMs);
  const nowMs = store.clock.now();
  const row = findValidActivityLock(store, OPERATION, lockToken, nowMs);
  row.lockedUntilMs = Math.max(row.lockedUntilMs, nowMs + extensionMs);
  if (ignoreAttempt) row.attemptCount = Math.max(0, row.attemptCount - 1);
  if (alone) row.loneRuns++;
  touchSession(store, row.sessionId, nowMs);
}
