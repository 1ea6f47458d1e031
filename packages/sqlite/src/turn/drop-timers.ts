/**
 * Removes the messages of dropped timers from the queue of their instance (docs/reference/provider-contract.md §7.2). A
 * timer is found by its time, so other messages are not read; one that was given back with a delay has another visible
 * time, and is found by its order time.
 */
import type { TimerId } from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import { encodeWorkItem, fromText } from "../rows/codec.ts";
import type { LockedInstance } from "../rows/instance-row.ts";

const DROP = "DELETE FROM orchestrator_queue WHERE instance_key = ? AND visible_at = ? AND work_item = ?";

const DROP_MOVED = `DELETE FROM orchestrator_queue INDEXED BY orchestrator_queue_moved
  WHERE instance_key = ? AND order_at = ? AND work_item = ? AND visible_at <> order_at`;

/** A row may be damaged, and then its text is no JSON. */
const DROP_DEADLINE = `DELETE FROM orchestrator_queue WHERE instance_key = ? AND work_item LIKE '{"CancelInstance":%'
  AND CASE WHEN json_valid(work_item) THEN work_item ->> '$.CancelInstance.deadline_ms' END = ?`;

/** The caller computes the due time of the instance afterwards. */
export function dropTimers(tx: Transaction, instance: LockedInstance, timers: readonly TimerId[]): void {
  if (timers.length === 0) return;
  const { instance_key: key, instance_id } = instance;
  tx.effects.queue.write(tx.db, key);
  for (const timer of timers) {
    if ("deadlineMs" in timer) {
      tx.db.run(DROP_DEADLINE, key, timer.deadlineMs);
      continue;
    }
    const { executionId: execution_id, timerId: id, fireAtMs } = timer;
    const item = { instance: fromText(instance_id), execution_id, id, fire_at_ms: fireAtMs };
    const text = encodeWorkItem("dropTimers", { kind: "TimerFired", ...item });
    if (tx.db.run(DROP, key, fireAtMs, text) === 0) tx.db.run(DROP_MOVED, key, fireAtMs, text);
  }
}
