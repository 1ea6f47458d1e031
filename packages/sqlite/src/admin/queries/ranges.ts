/**
 * The index ranges whose entries, merged by time, are the list that a query asks for
 * (docs/decisions/0038-queries.md). Conditions that a range implies need not be checked for its entries.
 */
import type { InstanceQuery, InstanceQueryFilter } from "@duroxide-ts/core/stores";
import type { Database, SqlValue } from "../../connection/database.ts";
import { toText } from "../../rows/codec.ts";

export type TimeColumn = "created_at" | "updated_at";

/** One range for each combination of values; all have the same form. */
export interface Ranges {
  readonly index: string;
  readonly time: TimeColumn;
  /** The leading columns of the index. */
  readonly columns: readonly string[];
  readonly values: readonly (readonly SqlValue[])[];
  /** The properties of the filter that the ranges imply. */
  readonly implied: readonly (keyof InstanceQueryFilter)[];
}

const STATUSES = ["Running", "Completed", "Failed", "ContinuedAsNew"];

/** Beyond, a list by version without a name reads the ranges of the statuses. */
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

export function rangesFor(db: Database, query: InstanceQuery): Ranges {
  const { filter = {}, order } = query;
  if (order === "updated-desc") return byStatus(filter, "updated_at", "instances_by_update");
  return (
    byName(db, filter) ??
    byParent(filter) ??
    byFailure(filter) ??
    byStatus(filter, "created_at", "instances_by_creation")
  );
}

/** The names of all orchestrations, as columns, or the first of them. */
export function namesOf(db: Database, limit: number): readonly string[] {
  return db.all<{ name: string }>(NAMES, limit).map(({ name }) => name);
}

function byStatus(filter: InstanceQueryFilter, time: TimeColumn, index: string): Ranges {
  const isFailed = filter.failureCategory !== undefined || filter.errorContains !== undefined;
  const statuses = filter.status ?? (isFailed ? ["Failed"] : STATUSES);
  const values = [...new Set(statuses)].map((status) => [status]);
  return { index, time, columns: ["status"], values, implied: ["status"] };
}

function byName(db: Database, filter: InstanceQueryFilter): Ranges | undefined {
  const names =
    filter.name?.map(toText) ?? (filter.version === undefined ? undefined : namesOf(db, MOST_NAMES + 1));
  if (names === undefined || (filter.name === undefined && names.length > MOST_NAMES)) return undefined;
  const statuses = [...new Set(filter.status ?? STATUSES)];
  const values = [...new Set(names)].flatMap((name) =>
    versionsOf(db, name, filter).flatMap((version) => statuses.map((status) => [name, version, status])),
  );
  return {
    index: "instances_by_name",
    time: "created_at",
    columns: ["orchestration_name", "orchestration_version", "status"],
    values,
    implied: ["name", "version", "status"],
  };
}

function versionsOf(db: Database, name: string, { version }: InstanceQueryFilter): readonly string[] {
  if (version !== undefined) return [...new Set(version.map(toText))];
  return db.all<{ version: string }>(VERSIONS, name).map((row) => row.version);
}

function byParent({ parentId }: InstanceQueryFilter): Ranges | undefined {
  if (parentId === undefined) return undefined;
  return {
    index: "instances_by_parent",
    time: "created_at",
    columns: ["parent_instance_id"],
    values: [[toText(parentId)]],
    implied: ["parentId"],
  };
}

/** The status is checked for each entry, because the category of an instance that runs again is not valid. */
function byFailure({ failureCategory }: InstanceQueryFilter): Ranges | undefined {
  if (failureCategory === undefined) return undefined;
  return {
    index: "instances_by_failure",
    time: "created_at",
    columns: ["failure_category"],
    values: [...new Set(failureCategory)].map((category) => [category]),
    implied: [],
  };
}
