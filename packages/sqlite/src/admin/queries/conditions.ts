/** The conditions of a filter as SQL, each with its property, so that an index range can replace it. */
import {
  askedStatuses,
  boundsOf,
  hidesSchedules,
  type InstanceFilter,
  type ListedStatus,
  SCHEDULE_ORCHESTRATION,
  tagConditionsOf,
  withRunsOf,
} from "@duroxide-ts/core/stores";
import type { Database, SqlValue } from "../../connection/database.ts";
import { toText } from "../../rows/codec.ts";
import { toTagColumn } from "../../rows/tags.ts";
import { CANCELLED, IS_CANCELLED } from "../instance-info.ts";

/** A filter as statements have it. */
export interface StoreFilter extends InstanceFilter {
  /** Leaves out the instances of schedules, where there are any. */
  readonly hides?: true;
}

/** A condition on a row of `instances`. */
export interface Condition extends Part {
  readonly of: keyof StoreFilter;
}

const HAS_HIDDEN =
  "SELECT 1 FROM instances INDEXED BY instances_by_name WHERE orchestration_name = ? LIMIT 1";

/** Stores without schedules need not look at the names of instances. */
export function storeFilter(db: Database, filter: InstanceFilter): StoreFilter {
  const hides = hidesSchedules(filter) && db.get(HAS_HIDDEN, SCHEDULE_ORCHESTRATION) !== undefined;
  return { ...withRunsOf(filter), ...(hides && { hides }) };
}

/** Greater than every character of a text. */
const LAST_CHARACTER = "\u{10ffff}";

const MESSAGE = `EXISTS (SELECT 1 FROM executions AS failed
  WHERE failed.instance_key = instances.instance_key AND failed.execution_id = instances.execution_id
    AND instr(lower(failed.output), lower(?)) > 0)`;

const IS_BLOCKED = `(blocked_since IS NOT NULL OR EXISTS (SELECT 1 FROM worker_queue AS w
  WHERE w.instance_key = instances.instance_key AND w.blocked_since IS NOT NULL))`;

const HAS_TAG =
  "EXISTS (SELECT 1 FROM instance_tags WHERE instance_tags.instance_key = instances.instance_key";

const IS_SUSPENDED = "(suspended_since IS NOT NULL)";

/** The conditions at this time, ms since the epoch. */
export function conditionsOf(filter: StoreFilter, nowMs: number): readonly Condition[] {
  const conditions: Condition[] = [];
  const add = (of: Condition["of"], sql: string, ...values: readonly SqlValue[]): void => {
    if (filter[of] !== undefined) conditions.push({ of, sql, values });
  };
  add("instanceIds", isIn("instance_id"), listOf(filter.instanceIds));
  const status = statusPart(filter.status ?? [], nowMs);
  add("status", status.sql, ...status.values);
  add("name", isIn("orchestration_name"), listOf(filter.name));
  add("hides", "orchestration_name <> ?", SCHEDULE_ORCHESTRATION);
  add("version", isIn("orchestration_version"), listOf(filter.version));
  add("idPrefix", "instance_id >= ? AND instance_id < ?", ...prefixRange(filter.idPrefix ?? ""));
  add("parentId", isIn("parent_instance_id"), listOf(parentsOf(filter)));
  if (filter.rootsOnly === true) add("rootsOnly", "parent_instance_id IS NULL");
  add("createdFromMs", "created_at >= ?", filter.createdFromMs ?? 0);
  add("createdToMs", "created_at < ?", filter.createdToMs ?? 0);
  add("updatedFromMs", "updated_at >= ?", filter.updatedFromMs ?? 0);
  add("updatedToMs", "updated_at < ?", filter.updatedToMs ?? 0);
  // The plus leaves the choice to the index of ends, which has the order of a deletion.
  add(
    "completedBeforeMs",
    "completed_at < ? AND +status IN ('Completed', 'Failed')",
    filter.completedBeforeMs ?? 0,
  );
  const category = `status = 'Failed' AND ${isIn("failure_category")}`;
  add("failureCategory", category, listOf(filter.failureCategory));
  add("errorContains", `status = 'Failed' AND ${MESSAGE}`, toText(filter.errorContains ?? ""));
  add("blocked", filter.blocked === true ? IS_BLOCKED : `NOT ${IS_BLOCKED}`);
  const tags = tagParts(filter.tags).map(({ sql, values }) => ({ sql: `${HAS_TAG} AND ${sql})`, values }));
  if (tags.length > 0)
    add("tags", tags.map(({ sql }) => sql).join(" AND "), ...tags.flatMap(({ values }) => values));
  add("suspended", filter.suspended === true ? IS_SUSPENDED : `NOT ${IS_SUSPENDED}`);
  return conditions;
}

function statusPart(statuses: readonly ListedStatus[], nowMs: number): Part {
  const { stored, scheduled, waiting, cancelled } = askedStatuses(statuses);
  const heldOnly = waiting === true ? "held_since IS NOT NULL" : "held_since IS NULL";
  const scheduledOnly = scheduled === true ? "starts_at > ?" : "(starts_at IS NULL OR starts_at <= ?)";
  const cancelledOnly = cancelled === true ? IS_CANCELLED : `NOT ${IS_CANCELLED}`;
  const parts = [
    isIn("status"),
    ...(scheduled === undefined ? [] : [`(status <> 'Running' OR ${scheduledOnly})`]),
    ...(waiting === undefined ? [] : [`(status <> 'Running' OR starts_at > ? OR ${heldOnly})`]),
    ...(cancelled === undefined ? [] : [`(status <> 'Failed' OR ${cancelledOnly})`]),
  ];
  const values = [
    listOf(stored),
    ...(scheduled === undefined ? [] : [nowMs]),
    ...(waiting === undefined ? [] : [nowMs]),
  ];
  return { sql: parts.join(" AND "), values };
}

const NOT_CANCELLED = ["application", "configuration", "infrastructure", "poison", "unknown"];

/** The categories of all that can match; `undefined` where others than failed or cancelled instances can. */
export function failureCategoriesOf({
  failureCategory,
  status = [],
}: InstanceFilter): readonly string[] | undefined {
  if (failureCategory !== undefined) return failureCategory;
  const { stored, cancelled } = askedStatuses(status);
  if (cancelled === undefined || stored.length > 1) return undefined;
  return cancelled ? CANCELLED : NOT_CANCELLED;
}

/** A part of a statement. */
export interface Part {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** The conditions as ranges of `instance_tags_by_value`, the exact ones first. */
export function tagParts(conditions: InstanceFilter["tags"]): readonly Part[] {
  const { exact, ranges } = tagConditionsOf(conditions);
  return [
    ...exact.map(([key, value]) => ({
      sql: "tag_key = ? AND tag_value = ?",
      values: [toText(key), toTagColumn(value)],
    })),
    ...ranges.map(([key, range]) => {
      const bounds = boundsOf(range);
      // Numbers come before all texts, and strings before whatever begins with t.
      const kind = bounds.some(({ value }) => typeof value === "number")
        ? "tag_value < ''"
        : "tag_value >= 's' AND tag_value < 't'";
      return {
        sql: ["tag_key = ?", ...bounds.map(({ than }) => `tag_value ${than} ?`), kind].join(" AND "),
        values: [toText(key), ...bounds.map(({ value }) => toTagColumn(value))],
      };
    }),
  ];
}

/** The wanted parents, each once. */
export function parentsOf({ parentId = [] }: InstanceFilter): readonly string[] {
  return [...new Set([parentId].flat())];
}

/** The range of the ids with a prefix, as values of `instance_id >= ? AND instance_id < ?`. */
export function prefixRange(prefix: string): readonly [string, string] {
  return [toText(prefix), toText(prefix) + LAST_CHARACTER];
}

/** Source of the instances whose ids a list has (`listOf`). */
export const LISTED_INSTANCES = "json_each(?) AS listed CROSS JOIN instances ON instance_id = listed.value";

/**
 * Source of the instances of a tag, in the order of their creation (`tagParts`). Only what exists has tags, so a
 * statement that asks for nothing else of the instances need not read them: SQLite leaves out such a left join.
 */
export const TAGGED_INSTANCES = `instance_tags INDEXED BY instance_tags_by_value
  LEFT JOIN instances ON instances.instance_key = instance_tags.instance_key`;

/** The values of a list as JSON, for `IN`. */
export function listOf(values: readonly string[] | undefined): string {
  return JSON.stringify((values ?? []).map(toText));
}

function isIn(column: string): string {
  return `${column} IN (SELECT value FROM json_each(?))`;
}
