/**
 * Ids of instances, newest first (with a status, by their first turns), a page at a time. The cost of a page does not
 * depend on its position.
 */
import {
  checkListInstances,
  continuationOf,
  type InstancePage,
  type ListInstancesOptions,
  positionOf,
} from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { fromText } from "../rows/codec.ts";

const OPERATION = "listInstances";

const DEFAULT_LIMIT = 100;

const LAST = Number.MAX_SAFE_INTEGER;

/** Newer instances have higher keys. */
const PAGE = `SELECT 0 AS created_at, instance_key, instance_id FROM instances
  WHERE orchestration_name IS NOT NULL AND instance_key < ?2 ORDER BY instance_key DESC LIMIT ?3`;

const PAGE_WITH_STATUS = `SELECT created_at, instance_key, instance_id FROM instances
  WHERE orchestration_name IS NOT NULL AND status = ?4 AND (created_at, instance_key) < (?1, ?2)
  ORDER BY created_at DESC, instance_key DESC LIMIT ?3`;

interface ListedRow {
  readonly created_at: number;
  readonly instance_key: number;
  readonly instance_id: string;
}

export function listInstances(db: Database, options: ListInstancesOptions = {}): InstancePage {
  checkListInstances(OPERATION, options);
  const { status, limit = DEFAULT_LIMIT, continuation } = options;
  const asked = { list: OPERATION, status };
  const isPlace = (place: readonly unknown[]): boolean =>
    place.length === 2 && place.every((part) => Number.isSafeInteger(part));
  const [createdAt = LAST, key = LAST] = positionOf(OPERATION, asked, continuation, isPlace) ?? [];
  const rows =
    status === undefined
      ? db.all<ListedRow>(PAGE, createdAt, key, limit + 1)
      : db.all<ListedRow>(PAGE_WITH_STATUS, createdAt, key, limit + 1, status);
  const page = rows.slice(0, limit);
  const instanceIds = page.map((row) => fromText(row.instance_id));
  const last = page.at(-1);
  if (rows.length <= limit || last === undefined) return { instanceIds };
  return { instanceIds, continuation: continuationOf(asked, [last.created_at, last.instance_key]) };
}
