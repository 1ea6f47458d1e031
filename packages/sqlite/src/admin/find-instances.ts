/** The instances of a bulk deletion or pruning (docs/reference/provider-contract.md §16). */
import { type BulkOptions, type InstanceFilter, tagConditionsOf } from "@duroxide-ts/core/stores";
import type { Database, SqlValue } from "../connection/database.ts";
import { fromText } from "../rows/codec.ts";
import {
  conditionsOf,
  LISTED_INSTANCES,
  listOf,
  type StoreFilter,
  storeFilter,
  TAGGED_INSTANCES,
  tagParts,
} from "./queries/conditions.ts";

const DEFAULT_LIMIT = 1_000;

/** A child whose parent does not exist is a root too. */
const IS_ROOT = `(parent_instance_id IS NULL OR NOT EXISTS (SELECT 1 FROM instances AS parent
  WHERE parent.instance_id = instances.parent_instance_id AND parent.orchestration_name IS NOT NULL))`;

/** Roots whose current execution has ended, oldest end first. */
export function findFinishedRoots(
  db: Database,
  filter: InstanceFilter,
  nowMs: number,
  { limit = DEFAULT_LIMIT }: BulkOptions = {},
): string[] {
  const ended = { ...filter, completedBeforeMs: filter.completedBeforeMs ?? Number.MAX_SAFE_INTEGER };
  return find(db, ended, nowMs, `AND ${IS_ROOT} ORDER BY completed_at`, limit);
}

/** Instances of any status; those that must have ended, oldest end first, and otherwise in the order of their creation. */
export function findInstances(
  db: Database,
  filter: InstanceFilter,
  nowMs: number,
  { limit = DEFAULT_LIMIT }: BulkOptions = {},
): string[] {
  const order = filter.completedBeforeMs === undefined ? "instances.instance_key" : "completed_at";
  return find(db, filter, nowMs, `ORDER BY ${order}`, limit);
}

/** Begins with the listed ids, or with those of a tag, if there are any; otherwise an index has the order. */
function find(db: Database, filter: InstanceFilter, nowMs: number, rest: string, limit: number): string[] {
  const { source, within, listed, others } = sourceOf(storeFilter(db, filter));
  const conditions = conditionsOf(others, nowMs).map(({ sql, values }) => ({ sql: `AND (${sql})`, values }));
  const sql = `SELECT instance_id FROM ${source} WHERE ${[...within, "orchestration_name IS NOT NULL"].join(" AND ")}
    ${conditions.map((each) => each.sql).join(" ")} ${rest} LIMIT ?`;
  const values = conditions.flatMap((each) => each.values);
  const rows = db.all<{ instance_id: string }>(sql, ...listed, ...values, limit);
  return rows.map((row) => fromText(row.instance_id));
}

interface Source {
  readonly source: string;
  readonly within: readonly string[];
  readonly listed: readonly SqlValue[];
  /** The conditions that the source does not imply. */
  readonly others: StoreFilter;
}

function sourceOf(filter: StoreFilter): Source {
  const { instanceIds, ...others } = filter;
  if (instanceIds !== undefined)
    return { source: LISTED_INSTANCES, within: [], listed: [listOf([...new Set(instanceIds)])], others };
  const { exact, ranges } = tagConditionsOf(filter.tags);
  const [first, ...left] = [...exact, ...ranges];
  const [part] = first === undefined ? [] : tagParts(Object.fromEntries([first]));
  if (part === undefined) return { source: "instances", within: [], listed: [], others };
  const tags = Object.fromEntries(left);
  return { source: TAGGED_INSTANCES, within: [part.sql], listed: part.values, others: { ...others, tags } };
}
