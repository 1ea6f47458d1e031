/** Counts of what runs under a key, and whether another may begin (docs/decisions/limits.md). A lock of a row is its permit. */
import {
  afterBegin,
  isUnder,
  levelsOf,
  nextSlotMs,
  ruleKeysOf,
  type StoredLimit,
} from "../../../contract/limits.ts";
import { isActivityLocked } from "../locks.ts";
import type { Store } from "../store.ts";

/** The rule that counts at a level of a key. */
export function ruleOf(store: Store, level: string): StoredLimit | undefined {
  return ruleKeysOf(level)
    .map((key) => store.limits.get(key)?.limit)
    .find((limit) => limit !== undefined);
}

export function runningUnder(store: Store, key: string, nowMs: number): number {
  return store.activities.filter(
    (row) => row.limit !== undefined && isUnder(row.limit, key) && isActivityLocked(row, nowMs),
  ).length;
}

/** The time from which the rates of the key let another begin; infinite while its concurrency is used up. */
export function opensAtMs(store: Store, key: string, nowMs: number): number {
  return Math.max(...levelsOf(key).map((level) => levelOpensAtMs(store, level, nowMs)));
}

function levelOpensAtMs(store: Store, level: string, nowMs: number): number {
  const limit = ruleOf(store, level);
  if (limit === undefined) return Number.NEGATIVE_INFINITY;
  const { rule, perMs } = limit;
  const { concurrency = Number.POSITIVE_INFINITY } = rule;
  if (runningUnder(store, level, nowMs) >= concurrency) return Number.POSITIVE_INFINITY;
  return nextSlotMs(rule, perMs, store.spentRates.get(level) ?? Number.NEGATIVE_INFINITY);
}

/** Counts a begin at each level that has a rate. */
export function spend(store: Store, key: string, nowMs: number): void {
  for (const level of levelsOf(key)) {
    const limit = ruleOf(store, level);
    if (limit?.rule.rate === undefined) continue;
    const spent = store.spentRates.get(level) ?? Number.NEGATIVE_INFINITY;
    store.spentRates.set(level, afterBegin(limit.rule, limit.perMs, spent, nowMs));
  }
}
