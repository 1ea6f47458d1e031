/** Releases an activity, at once or after a delay (docs/reference/provider-contract.md §10). */
import type { AbandonOptions } from "../../../contract/provider.ts";
import { toDurationMs } from "../../../stores/arguments.ts";
import { blockAfter } from "../blocked.ts";
import { findLockedActivity } from "../locks.ts";
import type { Store } from "../store.ts";

const OPERATION = "abandonWorkItem";

export function abandonWorkItem(
  store: Store,
  lockToken: string,
  { delayMs: givenMs = 0, ignoreAttempt = false, blocked }: AbandonOptions = {},
): void {
  const delayMs = toDurationMs(OPERATION, "delayMs", givenMs);
  const row = findLockedActivity(store, OPERATION, lockToken);
  row.lockToken = undefined;
  const nowMs = store.clock.now();
  row.visibleAtMs = nowMs + delayMs;
  row.block = blocked && blockAfter(row.block, blocked, nowMs, delayMs);
  if (ignoreAttempt) row.attemptCount = Math.max(0, row.attemptCount - 1);
}
