/**
 * The index ranges whose entries, merged by time, are the list that a query asks for
 * (docs/decisions/queries.md). Conditions that a range implies need not be checked for its entries.
 */
import {
  askedStatuses,
  type InstanceFilter,
  type InstanceQuery,
  tagConditionsOf,
} from "@duroxide-ts/core/stores";
import type { Database, SqlValue } from "../../connection/database.ts";
import { toText } from "../../rows/codec.ts";
import { toTagColumn } from "../../rows/tags.ts";
import {
  conditionsOf,
  failureCategoriesOf,
  type Part,
  parentsOf,
  type StoreFilter,
  TAGGED_INSTANCES,
} from "./conditions.ts";

/** Columns of times; that of `instance_tags` is the creation of the instance. */
export type TimeColumn = "created_at" | "updated_at" | "instance_created_at" | "starts_at" | "held_since";

/** One range for each combination of values; all have the same form. */
export interface Ranges {
  /** Table of the index, joined with the instances where it is another one. */
  readonly source: string;
  readonly time: TimeColumn;
  /** The leading columns of the index. */
  readonly columns: readonly string[];
  readonly values: readonly (readonly SqlValue[])[];
  /** A condition that all of them imply, without which SQLite does not use the index. */
  readonly where?: string;
  /** The properties of the filter that the ranges imply. */
  readonly implied: readonly (keyof StoreFilter)[];
  /** The tag that they imply. */
  readonly tag?: string;
}

const STATUSES = ["Running", "Completed", "Failed", "ContinuedAsNew"];

/** Most names that a list by version without a name reads one by one; with more it reads the ranges of the statuses. */
const MOST_NAMES = 200;

const NAMES = `WITH RECURSIVE names (name) AS (
    SELECT min(orchestration_name) FROM instances WHERE orchestration_name IS NOT NULL
    UNION ALL
    SELECT (SELECT min(orchestration_name) FROM instances
      WHERE orchestration_name IS NOT NULL AND orchestration_name > name) FROM names WHERE name IS NOT NULL)
  SELECT name FROM names WHERE name IS NOT NULL LIMIT ?`;

const VERSIONS = `WITH RECURSIVE versions (version) AS (
    SELECT min(orchestration_version) FROM instances WHERE orchestration_name = ?1
    UNION ALL
    SELECT (SELECT min(orchestration_version) FROM instances
      WHERE orchestration_name = ?1 AND orchestration_version > version) FROM versions WHERE version IS NOT NULL)
  SELECT version FROM versions WHERE version IS NOT NULL`;

export function rangesFor(db: Database, { filter = {}, order }: InstanceQuery): Ranges {
  if (order === "updated-desc") return byStatus(filter, "updated_at", "instances_by_update");
  return byParent(filter) ?? byFailure(filter) ?? byTag(filter) ?? byName(db, filter) ?? byCreation(filter);
}

/** The key of the instance, in the table that has the time. */
export function keyOf(time: TimeColumn): string {
  return `${time === "instance_created_at" ? "instance_tags" : "instances"}.instance_key`;
}

function indexed(index: string): string {
  return `instances INDEXED BY ${index}`;
}

/** The bounds of a range, after the values of its columns, and the conditions to check for each of its entries. */
export function conditionsWithin(
  filter: StoreFilter,
  { columns, time, where, implied, tag }: Ranges,
  nowMs: number,
): { readonly within: Part; readonly others: Part } {
  const { [tag ?? ""]: _, ...tags } = filter.tags ?? {};
  const conditions = conditionsOf({ ...filter, tags }, nowMs);
  const prefix = time === "updated_at" ? "updated" : "created";
  const bounds = conditions.filter(({ of }) => of.startsWith(prefix));
  const others = conditions.filter((each) => !bounds.includes(each) && !implied.includes(each.of));
  const within = [
    ...(tag === undefined ? ["orchestration_name IS NOT NULL"] : []),
    ...columns.map((column) => `${column} = ?`),
    ...(where === undefined ? [] : [where]),
    ...bounds.map(({ sql }) => sql.replace(`${prefix}_at`, time)),
  ];
  return {
    within: { sql: within.join(" AND "), values: bounds.flatMap((each) => each.values) },
    others: {
      sql: others.length === 0 ? "1" : others.map(({ sql }) => `(${sql})`).join(" AND "),
      values: others.flatMap((each) => each.values),
    },
  };
}

/** The names of all orchestrations, as columns, or the first of them. */
function namesOf(db: Database, limit: number): readonly string[] {
  return db.all<{ name: string }>(NAMES, limit).map(({ name }) => name);
}

function byStatus(filter: InstanceFilter, time: TimeColumn, index: string): Ranges {
  const isFailed = filter.failureCategory !== undefined || filter.errorContains !== undefined;
  const { stored, ...parts } = filter.status === undefined ? {} : askedStatuses(filter.status);
  const statuses = stored ?? (isFailed ? ["Failed"] : STATUSES);
  const isWhole = Object.keys(parts).length === 0;
  const values = statuses.map((status) => [status]);
  return { source: indexed(index), time, columns: ["status"], values, implied: isWhole ? ["status"] : [] };
}

function byCreation(filter: InstanceFilter): Ranges {
  return byStatus(filter, "created_at", "instances_by_creation");
}

/** `undefined` if the ranges of the statuses are the better choice: most instances have completed. */
function byName(db: Database, filter: InstanceFilter): Ranges | undefined {
  const { name, version, status } = filter;
  if (name === undefined && version === undefined) return undefined;
  if (status !== undefined && !status.includes("Completed")) return undefined;
  const names = name?.map(toText) ?? namesOf(db, MOST_NAMES + 1);
  if (name === undefined && names.length > MOST_NAMES) return undefined;
  const values = [...new Set(names)].flatMap((each) =>
    versionsOf(db, each, filter).map((ofName) => [each, ofName]),
  );
  return {
    source: indexed("instances_by_name"),
    time: "created_at",
    columns: ["orchestration_name", "orchestration_version"],
    values,
    implied: ["name", "version"],
  };
}

function versionsOf(db: Database, name: string, { version }: InstanceFilter): readonly string[] {
  if (version !== undefined) return [...new Set(version.map(toText))];
  return db.all<{ version: string }>(VERSIONS, name).map((row) => row.version);
}

function byTag(filter: InstanceFilter): Ranges | undefined {
  const [first] = tagConditionsOf(filter.tags).exact;
  if (first === undefined) return undefined;
  const [tag, value] = first;
  return {
    source: TAGGED_INSTANCES,
    time: "instance_created_at",
    columns: ["tag_key", "tag_value"],
    values: [[toText(tag), toTagColumn(value)]],
    implied: [],
    tag,
  };
}

function byParent(filter: InstanceFilter): Ranges | undefined {
  if (filter.parentId === undefined) return undefined;
  return {
    source: indexed("instances_by_parent"),
    time: "created_at",
    columns: ["parent_instance_id"],
    values: parentsOf(filter).map((parent) => [toText(parent)]),
    implied: ["parentId"],
  };
}

/** The status is checked for each entry, because the category of an instance that runs again is not valid. */
function byFailure(filter: InstanceFilter): Ranges | undefined {
  const categories = failureCategoriesOf(filter);
  if (categories === undefined) return undefined;
  return {
    source: indexed("instances_by_failure"),
    time: "created_at",
    columns: ["failure_category"],
    values: [...new Set(categories)].map((category) => [category]),
    implied: [],
  };
}
