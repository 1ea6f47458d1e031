/** The instance, or the start that waits, that has an id. */
import { decodeStored, decodeWorkItem, type TakenId, takenStatus } from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import { fromText } from "../rows/codec.ts";

const STANDING = `SELECT instance_key, orchestration_name AS name, status, suspended_since
  FROM instances WHERE instance_id = ?`;

const QUEUED_START = "SELECT work_item FROM orchestrator_queue WHERE instance_key = ? AND begins = 1 LIMIT 1";

interface Row {
  readonly instance_key: number;
  readonly name: string | null;
  readonly status: string;
  readonly suspended_since: number | null;
}

interface Standing {
  readonly status: TakenId["status"];
  readonly isSuspended: boolean;
  /** `corrupt-data` where a start waits that cannot be decoded. */
  readonly orchestration: (operation: string) => string;
}

export function takenBy(tx: Transaction, operation: string, id: string): TakenId | undefined {
  const standing = standingOf(tx, id);
  return standing && { orchestration: standing.orchestration(operation), status: standing.status };
}

/** The state of the instance with this id; `undefined` if there are at most messages for it. */
export function standingOf(tx: Transaction, id: string): Standing | undefined {
  const row = tx.db.get<Row>(STANDING, id);
  if (row === undefined) return undefined;
  const isSuspended = row.suspended_since !== null;
  const { name, status } = row;
  if (name !== null) return { status: takenStatus(status), isSuspended, orchestration: () => fromText(name) };
  // Its start may be of this transaction.
  tx.effects.queue.write(tx.db, row.instance_key);
  const start = tx.db.get<{ work_item: string }>(QUEUED_START, row.instance_key);
  if (start === undefined) return undefined;
  const orchestration = (operation: string): string => nameIn(operation, id, start.work_item);
  return { status: "Queued", isSuspended, orchestration };
}

function nameIn(operation: string, id: string, workItem: string): string {
  const what = `the start of instance ${JSON.stringify(fromText(id))}`;
  const start = decodeStored(operation, what, () => decodeWorkItem(workItem));
  return "orchestration" in start ? start.orchestration : "unknown";
}
