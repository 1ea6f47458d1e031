/** Whether an id is that of an instance, or of a start that waits. */
import type { StartOutcome } from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";

const STANDING = `SELECT instance_key, orchestration_name IS NOT NULL AS named, status, suspended_since
  FROM instances WHERE instance_id = ?`;

const QUEUED_START = "SELECT 1 FROM orchestrator_queue WHERE instance_key = ? AND begins = 1 LIMIT 1";

interface Row {
  readonly instance_key: number;
  readonly named: number;
  readonly status: string;
  readonly suspended_since: number | null;
}

interface Taken {
  readonly status: Extract<StartOutcome, { kind: "exists" }>["status"];
  readonly isSuspended: boolean;
}

/** The state of the instance with this id; `undefined` if there are at most messages for it. */
export function takenBy(tx: Transaction, id: string): Taken | undefined {
  const row = tx.db.get<Row>(STANDING, id);
  if (row === undefined) return undefined;
  const isSuspended = row.suspended_since !== null;
  if (row.named === 1) {
    const { status } = row;
    return { status: status === "Completed" || status === "Failed" ? status : "Running", isSuspended };
  }
  // Its start may be of this transaction.
  tx.effects.queue.write(tx.db, row.instance_key);
  const isStart = tx.db.get(QUEUED_START, row.instance_key) !== undefined;
  return isStart ? { status: "Queued", isSuspended } : undefined;
}
