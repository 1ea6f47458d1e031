/** Rows that could not be decoded, newest first. A row that is requeued keeps its text. */
import {
  checkDeadLetterQuery,
  checkSettling,
  continuationOf,
  DEFAULT_PAGE,
  type DeadLetter,
  type DeadLetterPage,
  type DeadLetterQuery,
  positionOf,
} from "@duroxide-ts/core/stores";
import type { Transaction, WriteOperation } from "../../commit/transaction.ts";
import type { Database } from "../../connection/database.ts";
import { type ActivityRow, toActivityRow } from "../../rows/activity-row.ts";
import { decodeActivity, decodeOrchestratorItem, fromText } from "../../rows/codec.ts";
import { type Message, toMessage } from "../../rows/message-row.ts";
import { addActivity, requesterOf } from "../../storing/add-activity.ts";
import { addMessage } from "../../storing/add-message.ts";

const OPERATION = "listDeadLetters";
const QUERY = { list: OPERATION };
const SETTLE = "settleDeadLetter";

const PAGE = `SELECT id, queue, instance_id, work_item, reason, moved_at FROM dead_letters
  WHERE id < ? ORDER BY id DESC LIMIT ?`;
const ONE = "SELECT id, queue, instance_id, work_item, reason, moved_at FROM dead_letters WHERE id = ?";
const DROP = "DELETE FROM dead_letters WHERE id = ?";

interface DeadLetterRow {
  readonly id: number;
  readonly queue: "orchestrator_queue" | "worker_queue";
  readonly instance_id: string;
  readonly work_item: string;
  readonly reason: string;
  readonly moved_at: number;
}

export function listDeadLetters(db: Database, query: DeadLetterQuery = {}): DeadLetterPage {
  checkDeadLetterQuery(OPERATION, query);
  const { limit = DEFAULT_PAGE, continuation } = query;
  const isPlace = ([id]: readonly unknown[]): boolean => Number.isSafeInteger(id);
  const [before = Number.MAX_SAFE_INTEGER] = positionOf(OPERATION, QUERY, continuation, isPlace) ?? [];
  const rows = db.all<DeadLetterRow>(PAGE, before, limit + 1);
  const page = rows.slice(0, limit);
  const deadLetters = page.map(toDeadLetter);
  const last = page.at(-1);
  if (rows.length <= limit || last === undefined) return { deadLetters };
  return { deadLetters, continuation: continuationOf(QUERY, [last.id]) };
}

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

function toDeadLetter(row: DeadLetterRow): DeadLetter {
  return {
    id: String(row.id),
    kind: row.queue === "worker_queue" ? "worker" : "orchestrator",
    instanceId: fromText(row.instance_id),
    reason: fromText(row.reason),
    movedAtMs: row.moved_at,
    text: row.work_item,
  };
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
    return { instanceId, workItem, executionId: 0, activityId: 0, lane: "", sessionId: null };
  }
}

function requeueActivity(tx: Transaction, row: ActivityRow): void {
  addActivity(tx, requesterOf(tx, row.instanceId), row);
}
