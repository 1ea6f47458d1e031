/** Progress of running activities as rows (docs/reference/provider-contract.md §13.2): one for each call. */
import { attemptNumber, type ProgressReport, type StoredProgress } from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import type { Database } from "../connection/database.ts";
import { fromText, toText } from "../rows/codec.ts";

const FIND = "SELECT delivery, attempt FROM step_progress WHERE instance_key = ? AND call = ?";
const ADD = `INSERT INTO step_progress (instance_key, call, execution_id, name, delivery, attempt, at, value)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const CHANGE = `UPDATE step_progress SET delivery = ?, attempt = ?, at = ?, value = ?
  WHERE instance_key = ? AND call = ?`;
const DELETE_EARLIER = "DELETE FROM step_progress WHERE instance_key = ? AND execution_id < ?";
const DELETE = "DELETE FROM step_progress WHERE instance_key = ?";
const READ = `SELECT p.call, p.name, p.attempt, p.at, p.value FROM step_progress AS p
  JOIN instances AS i ON i.instance_key = p.instance_key WHERE i.instance_id = ?`;
const READ_ONE = `${READ} AND p.call = ?`;

interface LastReport {
  readonly delivery: string;
  readonly attempt: number;
}

interface ProgressRow {
  readonly call: string;
  readonly name: string;
  readonly attempt: number;
  readonly at: number;
  readonly value: string;
}

/** An execution that begins to report removes what earlier ones have left. */
export function storeProgress(tx: Transaction, instanceKey: number, report: ProgressReport): void {
  const { db, nowMs } = tx;
  const { executionId, value, writer } = report;
  const call = toText(writer.call);
  const last = db.get<LastReport>(FIND, instanceKey, call);
  const attempt = attemptNumber(writer, last);
  const { name, delivery } = writer;
  if (last !== undefined) {
    db.run(CHANGE, delivery, attempt, nowMs, toText(value), instanceKey, call);
    return;
  }
  if (executionId > 1) db.run(DELETE_EARLIER, instanceKey, executionId);
  db.run(ADD, instanceKey, call, executionId, toText(name), delivery, attempt, nowMs, toText(value));
}

export function deleteProgress({ db }: Transaction, instanceKey: number): void {
  db.run(DELETE, instanceKey);
}

export function readProgress(db: Database, instanceId: string, call?: string): readonly StoredProgress[] {
  const id = toText(instanceId);
  const rows =
    call === undefined ? db.all<ProgressRow>(READ, id) : db.all<ProgressRow>(READ_ONE, id, toText(call));
  return rows.map(({ call: of, name, attempt, at, value }) => ({
    call: fromText(of),
    name: fromText(name),
    attempt,
    value: fromText(value),
    atMs: at,
  }));
}
