/** Puts a row that could not be decoded back into its queue, with its text, or deletes it. */
import { checkSettling } from "@duroxide-ts/core/stores";
import type { Transaction, WriteOperation } from "../../commit/transaction.ts";
import { type ActivityRow, toActivityRow } from "../../rows/activity-row.ts";
import { decodeActivity, decodeOrchestratorItem } from "../../rows/codec.ts";
import { type Message, toMessage } from "../../rows/message-row.ts";
import { addActivity, requesterOf } from "../../storing/add-activity.ts";
import { addMessage } from "../../storing/add-message.ts";
import type { DeadLetterRow } from "./dead-letters.ts";

const SETTLE = "settleDeadLetter";

const ONE = "SELECT id, queue, instance_id, work_item, reason, moved_at FROM dead_letters WHERE id = ?";
const DROP = "DELETE FROM dead_letters WHERE id = ?";

export function settleDeadLetter(id: string, how: "requeue" | "drop"): WriteOperation<boolean> {
  checkSettling(SETTLE, how);
  const key = keyOf(id);
  return (tx) => {
    const row = key === undefined ? undefined : tx.db.get<DeadLetterRow>(ONE, key);
    if (row === undefined) return false;
    tx.db.run(DROP, row.id);
    if (how === "drop") return true;
    if (row.queue === "orchestrator_queue") addMessage(tx, messageOf(row), { visibleAtMs: tx.nowMs });
    else requeueActivity(tx, activityOf(row));
    return true;
  };
}

function keyOf(id: string): number | undefined {
  return typeof id === "string" && /^[1-9]\d{0,15}$/.test(id) ? Number(id) : undefined;
}

/** Another process may decode what this one cannot; the columns that derive from the item are then empty. */
function messageOf({ instance_id: instanceId, work_item: workItem }: DeadLetterRow): Message {
  try {
    return { ...toMessage(SETTLE, decodeOrchestratorItem(workItem)), instanceId, workItem };
  } catch {
    return { instanceId, workItem, fireAtMs: undefined, dueAtMs: undefined, begins: false, parentId: null };
  }
}

function activityOf({ instance_id: instanceId, work_item: workItem }: DeadLetterRow): ActivityRow {
  try {
    return { ...toActivityRow(SETTLE, decodeActivity(workItem)), instanceId, workItem };
  } catch {
    return {
      instanceId,
      workItem,
      executionId: 0,
      activityId: 0,
      lane: "",
      sessionId: null,
      limitKey: null,
      priority: 0,
    };
  }
}

function requeueActivity(tx: Transaction, row: ActivityRow): void {
  addActivity(tx, requesterOf(tx, row.instanceId), row);
}
