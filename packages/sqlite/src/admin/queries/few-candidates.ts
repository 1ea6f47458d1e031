/** The keys of all instances that can match, if an index shows that they are few; the page then sorts them. */
import { type InstanceFilter, type InstanceQuery, tagConditionsOf } from "@duroxide-ts/core/stores";
import type { Database, SqlValue } from "../../connection/database.ts";
import {
  failureCategoriesOf,
  LISTED_INSTANCES,
  listOf,
  parentsOf,
  prefixRange,
  tagParts,
} from "./conditions.ts";

const FEW = 1_000;

const WITH_PREFIX =
  "SELECT instance_key AS key FROM instances WHERE instance_id >= ? AND instance_id < ? LIMIT ?";
const LISTED = `SELECT instance_key AS key FROM ${LISTED_INSTANCES} LIMIT ?`;
const CHILDREN = `SELECT instance_key AS key FROM json_each(?) AS listed
  CROSS JOIN instances ON parent_instance_id = listed.value LIMIT ?`;
const NAMED = `SELECT instance_key AS key FROM instances INDEXED BY instances_by_name
  WHERE orchestration_name IN (SELECT value FROM json_each(?)) AND orchestration_name IS NOT NULL LIMIT ?`;
const FAILED = `SELECT instance_key AS key FROM instances INDEXED BY instances_by_failure
  WHERE failure_category IN (SELECT value FROM json_each(?)) AND failure_category IS NOT NULL LIMIT ?`;
const BLOCKED = `SELECT instance_key AS key FROM instances INDEXED BY instances_blocked
    WHERE blocked_since IS NOT NULL
  UNION ALL SELECT instance_key FROM worker_queue INDEXED BY worker_queue_blocked_of
    WHERE blocked_since IS NOT NULL LIMIT ?`;

const SUSPENDED = `SELECT instance_key AS key FROM instances INDEXED BY instances_suspended
  WHERE suspended_since IS NOT NULL LIMIT ?`;

const STARTING = `SELECT instance_key AS key FROM instances INDEXED BY instances_starting
  WHERE starts_at > ? LIMIT ?`;

const HELD = `SELECT instance_key AS key FROM instances INDEXED BY instances_held
  WHERE held_since IS NOT NULL LIMIT ?`;

const tagged = (sql: string): string =>
  `SELECT instance_key AS key FROM instance_tags INDEXED BY instance_tags_by_value WHERE ${sql} LIMIT ?`;

export function fewCandidates(
  db: Database,
  { filter = {}, order }: InstanceQuery,
  nowMs: number,
): readonly number[] | undefined {
  const { instanceIds, idPrefix, parentId, name, status, blocked, suspended } = filter;
  const isByUpdate = order === "updated-desc";
  if (instanceIds !== undefined) {
    const found = few(db, LISTED, listOf(instanceIds));
    if (found !== undefined) return found;
  }
  if (idPrefix !== undefined && idPrefix !== "") {
    const found = few(db, WITH_PREFIX, ...prefixRange(idPrefix));
    if (found !== undefined) return found;
  }
  if (blocked === true) {
    const found = few(db, BLOCKED);
    if (found !== undefined) return found;
  }
  if (suspended === true) {
    const found = few(db, SUSPENDED);
    if (found !== undefined) return found;
  }
  if (status?.length === 1 && status[0] === "Scheduled") {
    const found = few(db, STARTING, nowMs);
    if (found !== undefined) return found;
  }
  if (status?.length === 1 && status[0] === "Waiting") {
    const found = few(db, HELD);
    if (found !== undefined) return found;
  }
  const tags = tagParts(filter.tags);
  const hasOrder = !isByUpdate && Object.keys(filter).length === 1 && isOneValue(filter.tags);
  for (const { sql, values } of hasOrder ? [] : tags) {
    const found = few(db, tagged(sql), ...values);
    if (found !== undefined) return found;
  }
  if (!isByUpdate) {
    // For other filters an index has the order of the list. In a list by status or tag, a name may be rare.
    const isRare = status !== undefined || tags.length > 0;
    return name === undefined || !isRare ? undefined : few(db, NAMED, listOf(name));
  }
  if (parentId !== undefined) {
    const found = few(db, CHILDREN, listOf(parentsOf(filter)));
    if (found !== undefined) return found;
  }
  const categories = failureCategoriesOf(filter);
  if (categories !== undefined) {
    const found = few(db, FAILED, listOf(categories));
    if (found !== undefined) return found;
  }
  return name === undefined ? undefined : few(db, NAMED, listOf(name));
}

/** Whether an index has the order of the list. */
function isOneValue(conditions: InstanceFilter["tags"]): boolean {
  const { exact, ranges } = tagConditionsOf(conditions);
  return exact.length === 1 && ranges.length === 0;
}

function few(db: Database, sql: string, ...values: readonly SqlValue[]): readonly number[] | undefined {
  const rows = db.all<{ key: number }>(sql, ...values, FEW + 1);
  return rows.length > FEW ? undefined : [...new Set(rows.map(({ key }) => key))];
}
