/**
 * The record of a turn's execution: created with its first turn, ended by the turn that has a status
 * (docs/reference/provider-contract.md §7, steps 4, 5 and 8).
 */
import type { Transaction } from "../commit/transaction.ts";
import { toOptionalText, toPin } from "../rows/codec.ts";
import type { LockedInstance } from "../rows/instance-row.ts";
import type { PreparedTurn } from "./prepared-turn.ts";

const ADD_EXECUTION = `INSERT INTO executions (instance_key, execution_id, status, output, failed_event_id,
    pinned_version, started_at, completed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (instance_key, execution_id) DO NOTHING`;

const END_EXECUTION = `UPDATE executions SET status = ?, output = ?, failed_event_id = ?, completed_at = ?
  WHERE instance_key = ? AND execution_id = ?`;

const PIN_EXECUTION = "UPDATE executions SET pinned_version = ? WHERE instance_key = ? AND execution_id = ?";

export function storeExecution(tx: Transaction, instance: LockedInstance, ack: PreparedTurn): void {
  const isCurrent = ack.executionId === instance.execution_id;
  if (!isCurrent && addExecution(tx, instance.instance_key, ack)) return;
  const { status, output, pinnedVersion } = ack.metadata;
  const id = [instance.instance_key, ack.executionId] as const;
  if (status !== undefined) {
    const failedEventId = status === "Failed" ? ack.failedEventId : null;
    tx.db.run(END_EXECUTION, status, toOptionalText(output), failedEventId, tx.nowMs, ...id);
  }
  if (pinnedVersion !== undefined) tx.db.run(PIN_EXECUTION, toPin(pinnedVersion), ...id);
}

/** False if the execution exists already. */
function addExecution(tx: Transaction, instanceKey: number, ack: PreparedTurn): boolean {
  const { status, output, pinnedVersion } = ack.metadata;
  const added = tx.db.run(
    ADD_EXECUTION,
    instanceKey,
    ack.executionId,
    status ?? "Running",
    status === undefined ? null : toOptionalText(output),
    status === "Failed" ? ack.failedEventId : null,
    pinnedVersion === undefined ? null : toPin(pinnedVersion),
    tx.nowMs,
    status === undefined ? null : tx.nowMs,
  );
  tx.effects.count("executions", added);
  return added > 0;
}
