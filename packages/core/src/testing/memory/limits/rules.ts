/** Rules of limits, and what runs and waits under their keys. */
import { isUnder, type LimitChange, type LimitState, type LimitUse } from "../../../contract/limits.ts";
import { isActivityLocked } from "../locks.ts";
import type { Store } from "../store.ts";
import { ruleOf, runningUnder } from "./permits.ts";

export function setLimit(store: Store, key: string, change: LimitChange): void {
  const { rule, perMs, by, reason, applied } = change;
  const known = store.limits.get(key);
  if (applied !== undefined && known?.applied === applied) return;
  const kept = { applied: applied ?? known?.applied };
  if (applied !== undefined && JSON.stringify(known?.limit?.rule) === applied) {
    store.limits.set(key, { ...known, ...kept });
    return;
  }
  const record = { ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
  const limit = rule && { key, rule, perMs, ...record, changedAtMs: store.clock.now() };
  store.limits.set(key, { ...kept, limit });
}

export function listLimits(store: Store): readonly LimitState[] {
  return [...store.limits]
    .filter(([, { limit }]) => limit !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { limit }]) => ({ limit, ...useOf(store, key) }));
}

export function readLimit(store: Store, key: string): LimitState {
  return { limit: ruleOf(store, key), ...useOf(store, key) };
}

function useOf(store: Store, key: string): LimitUse {
  const nowMs = store.clock.now();
  const waits = store.activities.filter(
    (row) => row.limit !== undefined && isUnder(row.limit, key) && !isActivityLocked(row, nowMs),
  );
  return {
    running: runningUnder(store, key, nowMs),
    waiting: waits.length,
    oldestWaitingMs: Math.max(0, ...waits.map(({ queuedAtMs }) => nowMs - queuedAtMs)),
  };
}
