/** The next time at which work becomes eligible without a write: a delay, a lock or a session ends. */
import { opensAtMs } from "../limits/permits.ts";
import type { Store } from "../store.ts";

export function nextDueMs(store: Store, nowMs: number): number {
  let nextMs = Number.POSITIVE_INFINITY;
  const consider = (atMs: number): void => {
    if (atMs > nowMs && atMs < nextMs) nextMs = atMs;
  };
  for (const { visibleAtMs } of store.messages) consider(visibleAtMs);
  for (const { visibleAtMs, lockedUntilMs, limit } of store.activities) {
    if (limit !== undefined) consider(opensAtMs(store, limit, nowMs));
    consider(visibleAtMs);
    consider(lockedUntilMs);
  }
  for (const atMs of store.leftUntilMs) {
    if (atMs <= nowMs) store.leftUntilMs.delete(atMs);
    consider(atMs);
  }
  for (const { lockedUntilMs } of store.instanceLocks.values()) consider(lockedUntilMs);
  for (const { lockedUntilMs } of store.sessions.values()) consider(lockedUntilMs);
  return nextMs;
}
