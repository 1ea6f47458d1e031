/**
 * Counts of the entries of ranges, in steps of a few milliseconds, so that other work of the process runs in between; the
 * steps are not one snapshot.
 */
import { type CountKey, type InstanceCount, nextRound } from "@duroxide-ts/core/stores";
import type { Database, SqlValue } from "../../connection/database.ts";
import { fromText } from "../../rows/codec.ts";
import type { Store } from "../../store.ts";
import { IS_CANCELLED } from "../instance-info.ts";
import type { StoreFilter } from "./conditions.ts";
import { conditionsWithin, keyOf, type Ranges } from "./ranges.ts";

export const COUNT = "countInstances";

/** Entries of an index that a step examines. */
const STEP = 20_000;

const COLUMNS: Readonly<Record<CountKey, string>> = {
  status: `CASE status WHEN 'Running' THEN CASE WHEN starts_at > ? THEN 'Scheduled'
      WHEN held_since IS NOT NULL THEN 'Waiting' ELSE status END
    WHEN 'Failed' THEN iif(${IS_CANCELLED}, 'Cancelled', status) ELSE status END`,
  name: "orchestration_name",
  version: "orchestration_version",
};

type Place = readonly [at: number, key: number];

const BEGINNING: Place = [Number.MIN_SAFE_INTEGER, 0];
const END: Place = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

export interface Search {
  readonly ranges: Ranges;
  readonly filter: StoreFilter;
  readonly by: readonly CountKey[];
  readonly nowMs: number;
  /** Entries up to this time are left out. */
  readonly afterMs?: number;
}

export async function countRanges(store: Store, search: Search): Promise<readonly InstanceCount[]> {
  const counts = new Map<string, InstanceCount>();
  if (search.by.length === 0) counts.set("[]", { key: [], count: 0 });
  const { afterMs } = search;
  const beginning: Place = afterMs === undefined ? BEGINNING : [afterMs, Number.MAX_SAFE_INTEGER];
  for (const values of search.ranges.values) {
    for (let from: Place | undefined = beginning; from !== undefined; ) {
      const step: Step = { ...search, values, from };
      from = await store.read(COUNT, (db) => countStep(db, step, counts));
      // The answer of a read is no round of the event loop.
      if (from !== undefined) await nextRound();
    }
  }
  return [...counts.values()];
}

interface Step extends Search {
  /** The values of the columns of the range. */
  readonly values: readonly SqlValue[];
  readonly from: Place;
}

/** Returns the place at which the next step of the range begins; `undefined` after the last one. */
function countStep(db: Database, step: Step, counts: Map<string, InstanceCount>): Place | undefined {
  const { ranges, filter, by, values, from, nowMs } = step;
  const { time } = ranges;
  const place = `(${time}, ${keyOf(time)})`;
  const { within, others } = conditionsWithin(filter, ranges, nowMs);
  const source = `FROM ${ranges.source} WHERE ${within.sql}`;
  const after = `${place} > (?, ?)`;
  const last = `SELECT ${time} AS at, ${keyOf(time)} AS key ${source} AND ${after}
    ORDER BY ${time}, ${keyOf(time)} LIMIT 1 OFFSET ${STEP - 1}`;
  const end = db.get<{ at: number; key: number }>(last, ...values, ...within.values, ...from);
  const to = end === undefined ? undefined : ([end.at, end.key] as const);
  const columns = by.map((key) => `${COLUMNS[key]} AS ${key}`);
  const grouped = by.length === 0 ? "" : `GROUP BY ${by.map((_, at) => at + 1).join(", ")}`;
  const sql = `SELECT ${[...columns, "count(*) AS count"].join(", ")} ${source} AND ${after}
    AND ${place} <= (?, ?) AND ${others.sql} ${grouped}`;
  const selected = by.includes("status") ? [nowMs] : [];
  const all = [...selected, ...values, ...within.values, ...from, ...(to ?? END), ...others.values];
  for (const row of db.all<Readonly<Record<CountKey | "count", string | number>>>(sql, ...all)) {
    const key = by.map((name) => fromText(String(row[name])));
    const text = JSON.stringify(key);
    counts.set(text, { key, count: (counts.get(text)?.count ?? 0) + Number(row.count) });
  }
  return to;
}
