/** The instance, or the start that waits, that has an id. */
import { decodeWorkItem, type OrchestratorItem, type TakenId } from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";

const STANDING = `SELECT instance_key, orchestration_name AS name, status, suspended_since
  FROM instances WHERE instance_id = ?`;

const QUEUED_START = "SELECT work_item FROM orchestrator_queue WHERE instance_key = ? AND begins = 1 LIMIT 1";

interface Row {
  readonly instance_key: number;
  readonly name: string | null;
  readonly status: string;
  readonly suspended_since: number | null;
}

interface Taken extends TakenId {
  readonly isSuspended: boolean;
}

/** The state of the instance with this id; `undefined` if there are at most messages for it. */
export function takenBy(tx: Transaction, id: string): Taken | undefined {
  const row = tx.db.get<Row>(STANDING, id);
  if (row === undefined) return undefined;
  const isSuspended = row.suspended_since !== null;
  const { name, status } = row;
  if (name !== null) {
    const ended = status === "Completed" || status === "Failed" ? status : undefined;
    return { orchestration: name, status: ended ?? "Running", isSuspended };
  }
  // Its start may be of this transaction.
  tx.effects.queue.write(tx.db, row.instance_key);
  const start = tx.db.get<{ work_item: string }>(QUEUED_START, row.instance_key);
  return start && { orchestration: nameIn(start.work_item), status: "Queued", isSuspended };
}

/** Whether the id of the start is that of an instance of another orchestration. */
export function isOther({ orchestration }: TakenId, start: OrchestratorItem): boolean {
  return start.kind === "StartOrchestration" && start.orchestration.toWellFormed() !== orchestration;
}

function nameIn(workItem: string): string {
  const start = decodeWorkItem(workItem);
  return "orchestration" in start ? start.orchestration : "unknown";
}
