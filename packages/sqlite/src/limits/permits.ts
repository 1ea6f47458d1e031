/** The permits of a key: how many of its rows are locked, and when another may begin. */
import {
  afterBegin,
  type LimitRule,
  latenessMs,
  levelsOf,
  nextSlotMs,
  ruleKeysOf,
} from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import type { Database } from "../connection/database.ts";
import { NO_KEY } from "../rows/codec.ts";

const FIND_RULE = "SELECT rule, per_ms FROM limits WHERE limit_key = ? AND rule IS NOT NULL";

/** Keys under a first level are those from `key/` to `key0`, because "0" follows "/". */
const RUNNING = `SELECT
  ?3 * (SELECT count(*) FROM worker_queue WHERE limit_key = ?1 AND lock_token IS NOT NULL AND due_at > ?2)
  + (SELECT count(*) FROM worker_queue WHERE limit_key > ?1 || '/' AND limit_key < ?1 || '0'
    AND lock_token IS NOT NULL AND due_at > ?2) AS running`;

/** The end of the first lock of them. */
const FIRST_END = `SELECT min(due_at) AS due_at FROM (
  SELECT min(due_at) AS due_at FROM worker_queue
    WHERE limit_key = ?1 AND lock_token IS NOT NULL AND due_at > ?2
  UNION ALL SELECT min(due_at) FROM worker_queue WHERE limit_key > ?1 || '/' AND limit_key < ?1 || '0'
    AND lock_token IS NOT NULL AND due_at > ?2)`;

const SPENT = "SELECT spent_until FROM limit_rates WHERE limit_key = ?";

const SPEND = `INSERT INTO limit_rates (limit_key, spent_until) VALUES (?1, ?2)
  ON CONFLICT (limit_key) DO UPDATE SET spent_until = ?2`;

/** `worker_queue.due_at` of the permit of an instance, which ends with the instance. */
export const PERMIT_ENDS_AT = 9_000_000_000_000_000;

/** Whether the time is that of such a permit; it moves with a clock that is set back. */
export function isNever(atMs: number): boolean {
  return atMs > PERMIT_ENDS_AT / 2;
}

/** A rule with the period by which its slots are counted: that of the rule and the lateness (begins.B1 of core). */
export interface Rule {
  readonly rule: LimitRule;
  readonly perMs: number;
  readonly latenessMs: number;
}

/** The times between which a handler is called, ms since the epoch. */
export interface Slot {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The rule that counts at a level; levels and keys are columns. */
export function ruleAt(db: Database, level: string): Rule | undefined {
  for (const key of ruleKeysOf(level)) {
    const row = db.get<{ rule: string; per_ms: number }>(FIND_RULE, key);
    if (row === undefined) continue;
    const rule = JSON.parse(row.rule) as LimitRule;
    const lateMs = latenessMs(row.per_ms);
    return { rule, perMs: row.per_ms + lateMs, latenessMs: lateMs };
  }
  return undefined;
}

/** The number of the key itself and of the keys under it; without `own`, only of these. */
export function runningUnder(db: Database, key: string, nowMs: number, own = true): number {
  return db.get<{ running: number }>(RUNNING, key, nowMs, own ? 1 : 0)?.running ?? 0;
}

/** The level that holds a key back, and the time at which it may let another begin without a change of the store. */
export interface Held {
  readonly level: string;
  readonly untilMs: number;
}

/** `undefined` if another of the key may begin now. */
export function heldBy(db: Database, key: string, nowMs: number): Held | undefined {
  if (key === NO_KEY) return undefined;
  // The first level first: where it is full, all keys under it are.
  for (const level of levelsOf(key).toReversed()) {
    const untilMs = fullUntilMs(db, level, nowMs);
    if (untilMs > nowMs) return { level, untilMs };
  }
  return undefined;
}

function fullUntilMs(db: Database, level: string, nowMs: number): number {
  const found = ruleAt(db, level);
  if (found === undefined) return nowMs;
  const { concurrency = Number.POSITIVE_INFINITY, rate } = found.rule;
  if (concurrency !== Number.POSITIVE_INFINITY && runningUnder(db, level, nowMs) >= concurrency)
    return db.get<{ due_at: number | null }>(FIRST_END, level, nowMs)?.due_at ?? nowMs;
  if (rate === undefined) return nowMs;
  return nextSlotMs(found.rule, found.perMs, spentUntilMs(db, level));
}

/** The next slot of a key, ms since the epoch; that of the level whose slot comes last. */
export function opensAtMs(db: Database, key: string): number {
  const slots = levelsOf(key).map((level) => {
    const found = ruleAt(db, level);
    return found === undefined
      ? Number.NEGATIVE_INFINITY
      : nextSlotMs(found.rule, found.perMs, spentUntilMs(db, level));
  });
  return Math.max(...slots);
}

/** Counts a begin at each level that has a rate, and returns its slots. */
export function spend({ db }: Transaction, key: string, beginAtMs: number): readonly Slot[] {
  if (key === NO_KEY) return [];
  return levelsOf(key).flatMap((level) => {
    const found = ruleAt(db, level);
    if (found?.rule.rate === undefined) return [];
    const { rule, perMs } = found;
    const spentMs = spentUntilMs(db, level);
    db.run(SPEND, level, afterBegin(rule, perMs, spentMs, beginAtMs));
    const atMs = Math.max(spentMs, beginAtMs);
    return [{ fromMs: nextSlotMs(rule, perMs, atMs), untilMs: atMs + found.latenessMs }];
  });
}

function spentUntilMs(db: Database, level: string): number {
  return db.get<{ spent_until: number }>(SPENT, level)?.spent_until ?? Number.NEGATIVE_INFINITY;
}
