/**
 * A page of a filtered list of instances.
 *
 * - query-instances.QI1: A page examines at most so many entries of an index. A page that ends there has a
 *   continuation, whether it is full or not, so the cost of a page does not depend on the number of instances.
 * - query-instances.QI2: If few instances can match (a prefix, a tag, a parent, blocked or suspended ones), these are
 *   sorted instead.
 */
import {
  checkInstanceQuery,
  continuationOf,
  DEFAULT_PAGE,
  type InstanceQuery,
  type InstanceQueryPage,
  positionOf,
} from "@duroxide-ts/core/stores";
import type { Database } from "../../connection/database.ts";
import { conditionsOf, type StoreFilter, storeFilter } from "./conditions.ts";
import { fewCandidates } from "./few-candidates.ts";
import { type Entry, RangeCursor, type RangeStatement } from "./range-cursor.ts";
import { conditionsWithin, keyOf, type Ranges, rangesFor, type TimeColumn } from "./ranges.ts";
import { readSummaries } from "./read-summaries.ts";

const OPERATION = "queryInstances";

/** Entries of an index that a page examines: some 10 ms. The message of a failure is in another table. */
const BUDGET = 5_000;
const BUDGET_OF_MESSAGES = 1_000;

/** The keys of a page, and where the next one begins. */
interface Found {
  readonly keys: readonly number[];
  readonly end: readonly [number, number] | undefined;
}

type Place = readonly [number, number];
type StoreQuery = InstanceQuery & { readonly filter: StoreFilter };

/** A query, and the time at which it is asked, ms since the epoch. */
interface Asking {
  readonly query: StoreQuery;
  readonly nowMs: number;
}

export function queryInstances(db: Database, nowMs: number, query: InstanceQuery = {}): InstanceQueryPage {
  checkInstanceQuery(OPERATION, query);
  const { filter = {}, order = "created-desc", limit = DEFAULT_PAGE, continuation } = query;
  const asked = { filter, order };
  const isPlace = (place: readonly unknown[]): boolean => place.length === 2 && place.every(Number.isFinite);
  const place = positionOf(OPERATION, asked, continuation, isPlace) as Place | undefined;
  const after = place ?? beginningOf(order);
  const stored = { ...query, filter: storeFilter(db, filter) };
  const few = fewCandidates(db, stored, nowMs);
  const asking = { query: stored, nowMs };
  const { keys, end } =
    few === undefined ? scan(db, asking, after, limit) : sortFew(db, asking, few, after, limit);
  const instances = readSummaries(db, keys, nowMs);
  return end === undefined ? { instances } : { instances, continuation: continuationOf(asked, end) };
}

function beginningOf(order: InstanceQuery["order"]): Place {
  const end = order === "created-asc" ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
  return [end, end];
}

/** Merges the ranges until the page is full, or the budget is spent (query-instances.QI1). */
function scan(db: Database, asking: Asking, after: Place, limit: number): Found {
  const { query } = asking;
  const ranges = rangesFor(db, query);
  const pieceSize = Math.max(8, Math.ceil((limit * 2) / Math.max(1, ranges.values.length)));
  const cursors = statementsOf(asking, ranges).map(
    (statement) => new RangeCursor(db, statement, after, pieceSize),
  );
  const isEarlier = earlierIn(query);
  const budget = query.filter.errorContains === undefined ? BUDGET : BUDGET_OF_MESSAGES;
  const keys: number[] = [];
  let last: Entry | undefined;
  for (let examined = 0; ; examined++) {
    const next = firstOf(cursors, isEarlier);
    const entry = next?.first();
    if (next === undefined || entry === undefined) return { keys, end: undefined };
    const isFull = keys.length === limit || examined === budget;
    if (isFull && last !== undefined) return { keys, end: [last.at, last.key] };
    if (entry.ok === 1) keys.push(entry.key);
    last = entry;
    next.take();
  }
}

function statementsOf({ query, nowMs }: Asking, ranges: Ranges): readonly RangeStatement[] {
  const { source, time } = ranges;
  const key = keyOf(time);
  const { within, others } = conditionsWithin(query.filter, ranges, nowMs);
  const sql = `SELECT ${time} AS at, ${key} AS key, ${others.sql} AS ok FROM ${source}
    WHERE ${within.sql} AND ${pageOf(query, time)}`;
  return ranges.values.map((values) => ({
    sql,
    values: [...others.values, ...values, ...within.values],
  }));
}

function pageOf({ order }: InstanceQuery, time: TimeColumn): string {
  const [direction, than] = order === "created-asc" ? ["ASC", ">"] : ["DESC", "<"];
  const key = keyOf(time);
  return `(${time}, ${key}) ${than} (?, ?) ORDER BY ${time} ${direction}, ${key} ${direction} LIMIT ?`;
}

function earlierIn({ order }: InstanceQuery): (a: Entry, b: Entry) => boolean {
  if (order === "created-asc") return (a, b) => a.at < b.at || (a.at === b.at && a.key < b.key);
  return (a, b) => a.at > b.at || (a.at === b.at && a.key > b.key);
}

function firstOf(
  cursors: readonly RangeCursor[],
  isEarlier: (a: Entry, b: Entry) => boolean,
): RangeCursor | undefined {
  let first: RangeCursor | undefined;
  let best: Entry | undefined;
  for (const cursor of cursors) {
    const entry = cursor.first();
    if (entry === undefined || (best !== undefined && !isEarlier(entry, best))) continue;
    [first, best] = [cursor, entry];
  }
  return first;
}

function sortFew(
  db: Database,
  { query, nowMs }: Asking,
  candidates: readonly number[],
  after: Place,
  limit: number,
): Found {
  const conditions = conditionsOf(query.filter, nowMs);
  const time = query.order === "updated-desc" ? "updated_at" : "created_at";
  const matching = conditions.map((each) => `AND ${each.sql}`).join(" ");
  const sql = `SELECT ${time} AS at, instance_key AS key, 1 AS ok
    FROM json_each(?) AS candidates CROSS JOIN instances ON instance_key = candidates.value
    WHERE orchestration_name IS NOT NULL ${matching} AND ${pageOf(query, time)}`;
  const values = conditions.flatMap((each) => each.values);
  const entries = db.all<Entry>(sql, JSON.stringify(candidates), ...values, ...after, limit + 1);
  const keys = entries.slice(0, limit).map(({ key }) => key);
  const last = entries[limit - 1];
  return { keys, end: entries.length > limit && last !== undefined ? [last.at, last.key] : undefined };
}
