/** The next time at which work becomes eligible without a write: a delay, a lock or a session ends. */
import { STEP_TAG } from "../../../wire/known-code.ts";
import type { Store } from "../store.ts";
import { STEP_HEAD_START_MS } from "./fetch-work-item.ts";

export function nextDueMs(store: Store, nowMs: number): number {
  let nextMs = Number.POSITIVE_INFINITY;
  const consider = (atMs: number): void => {
    if (atMs > nowMs && atMs < nextMs) nextMs = atMs;
  };
  for (const { visibleAtMs } of store.messages) consider(visibleAtMs);
  for (const { visibleAtMs, lockedUntilMs, tag } of store.activities) {
    consider(visibleAtMs);
    if (tag === STEP_TAG) consider(visibleAtMs + STEP_HEAD_START_MS);
    consider(lockedUntilMs);
  }
  for (const { lockedUntilMs } of store.instanceLocks.values()) consider(lockedUntilMs);
  for (const { lockedUntilMs } of store.sessions.values()) consider(lockedUntilMs);
  return nextMs;
}
