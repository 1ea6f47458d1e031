/** Reads of limits. */
import {
  groupOfKey,
  type LimitRule,
  type LimitState,
  type LimitUse,
  ruleKeysOf,
  STARVATION_MS,
  type StoredLimit,
} from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { fromText, RANKED_AT, toText } from "../rows/codec.ts";
import { runningUnder } from "./permits.ts";

const COLUMNS = "limit_key, rule, per_ms, changed_at, changed_by, reason";

const FIND = `SELECT ${COLUMNS} FROM limits WHERE limit_key = ? AND rule IS NOT NULL`;

const ALL = `SELECT ${COLUMNS} FROM limits WHERE rule IS NOT NULL ORDER BY limit_key`;

const WAITING = `SELECT
  ?2 * (SELECT count(*) FROM worker_queue WHERE due_at = ${RANKED_AT} AND limit_key = ?1)
  + (SELECT count(*) FROM worker_queue WHERE due_at = ${RANKED_AT} AND limit_key > ?1 || '/' AND limit_key < ?1 || '0')
  AS waiting`;

const OLDEST = `SELECT min(overdue_at) AS overdue_at FROM (
  SELECT overdue_at FROM limit_queues WHERE limit_key = ?1 AND ?2
  UNION ALL SELECT overdue_at FROM limit_queues WHERE limit_key > ?1 || '/' AND limit_key < ?1 || '0')`;

interface LimitRow {
  readonly limit_key: string;
  /** JSON. */
  readonly rule: string;
  readonly per_ms: number;
  readonly changed_at: number;
  readonly changed_by: string | null;
  readonly reason: string | null;
}

export function listLimits(db: Database, nowMs: number): readonly LimitState[] {
  return db.all<LimitRow>(ALL).map((row) => ({ limit: toLimit(row), ...useOf(db, row.limit_key, nowMs) }));
}

export function readLimit(db: Database, key: string, nowMs: number): LimitState {
  const column = toText(key);
  const row = ruleKeysOf(column)
    .map((level) => db.get<LimitRow>(FIND, level))
    .find((found) => found !== undefined);
  return { limit: row && toLimit(row), ...useOf(db, column, nowMs) };
}

function toLimit(row: LimitRow): StoredLimit {
  return {
    key: fromText(row.limit_key),
    rule: JSON.parse(row.rule) as LimitRule,
    perMs: row.per_ms,
    ...(row.changed_by !== null && { by: fromText(row.changed_by) }),
    ...(row.reason !== null && { reason: fromText(row.reason) }),
    changedAtMs: row.changed_at,
  };
}

function useOf(db: Database, ruleKey: string, nowMs: number): LimitUse {
  const ofOthers = ruleKey.endsWith("/*");
  const key = ofOthers ? groupOfKey(ruleKey) : ruleKey;
  const own = ofOthers ? 0 : 1;
  const overdueAtMs = db.get<{ overdue_at: number | null }>(OLDEST, key, own)?.overdue_at;
  const queuedAtMs = typeof overdueAtMs === "number" ? overdueAtMs - STARVATION_MS : nowMs;
  return {
    running: runningUnder(db, key, nowMs, !ofOthers),
    waiting: db.get<{ waiting: number }>(WAITING, key, own)?.waiting ?? 0,
    oldestWaitingMs: Math.max(0, nowMs - queuedAtMs),
  };
}
