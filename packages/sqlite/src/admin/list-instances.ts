/** Ids of instances, newest first, a page at a time. The cost of a page does not depend on its position. */
import {
  checkListInstances,
  type InstancePage,
  invalidInput,
  type ListInstancesOptions,
} from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { fromText } from "../rows/codec.ts";

const OPERATION = "listInstances";

const DEFAULT_LIMIT = 100;

/** Newer instances have higher keys. */
const PAGE = `SELECT instance_key, instance_id FROM instances
  WHERE orchestration_name IS NOT NULL AND instance_key < ? ORDER BY instance_key DESC LIMIT ?`;

const PAGE_WITH_STATUS = `SELECT instance_key, instance_id FROM instances
  WHERE orchestration_name IS NOT NULL AND status = ? AND instance_key < ?
  ORDER BY instance_key DESC LIMIT ?`;

interface Row {
  readonly instance_key: number;
  readonly instance_id: string;
}

export function listInstances(db: Database, options: ListInstancesOptions = {}): InstancePage {
  checkListInstances(OPERATION, options);
  const { status, limit = DEFAULT_LIMIT, continuation } = options;
  const before = continuation === undefined ? Number.MAX_SAFE_INTEGER : keyOf(continuation);
  const rows =
    status === undefined
      ? db.all<Row>(PAGE, before, limit + 1)
      : db.all<Row>(PAGE_WITH_STATUS, status, before, limit + 1);
  const page = rows.slice(0, limit);
  const instanceIds = page.map((row) => fromText(row.instance_id));
  const last = page.at(-1);
  if (rows.length <= limit || last === undefined) return { instanceIds };
  return { instanceIds, continuation: last.instance_key.toString(36) };
}

function keyOf(continuation: string): number {
  const key = /^[0-9a-z]{1,11}$/.test(continuation) ? Number.parseInt(continuation, 36) : Number.NaN;
  if (Number.isSafeInteger(key)) return key;
  throw invalidInput(OPERATION, "continuation does not come from a previous page");
}
