/**
 * Stores a start with its messages and deadline, by the rule for a taken id (docs/reference/provider-contract.md
 * §10.1).
 */
import {
  checkStartInstance,
  hasEnded,
  later,
  type StartInstanceOptions,
  type StartOutcome,
  toDurationMs,
  toMessageId,
  type WorkItemOf,
} from "@duroxide-ts/core/stores";
import type { Transaction, WriteOperation } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";
import { toMessage } from "../rows/message-row.ts";
import { addMessage } from "../storing/add-message.ts";
import { deleteTree } from "../storing/delete-tree.ts";
import { isRemembered, rememberMessage } from "../storing/message-ids.ts";

const OPERATION = "startInstance";

const STANDING = `SELECT orchestration_name IS NOT NULL AS named, status, EXISTS (SELECT 1 FROM orchestrator_queue AS q
    WHERE q.instance_key = i.instance_key AND q.begins = 1) AS queued
  FROM instances AS i WHERE instance_id = ?`;

type Taken = Extract<StartOutcome, { kind: "exists" }>["status"];

export function startInstance(
  start: WorkItemOf<"StartOrchestration">,
  options: StartInstanceOptions,
): WriteOperation<StartOutcome> {
  checkStartInstance(OPERATION, start, options);
  const { ifExists, deadline } = options;
  const givenId = toMessageId(OPERATION, start, options);
  const messageId = givenId === undefined ? undefined : toText(givenId);
  const delayMs = toDurationMs(OPERATION, "deadline.delayMs", deadline?.delayMs ?? 0);
  const messages = [start, ...options.messages].map((item) => toMessage(OPERATION, item));
  const last = deadline && toMessage(OPERATION, deadline.item);
  const id = toText(start.instance);
  return (tx) => {
    if (messageId !== undefined && isRemembered(tx, id, messageId)) return { kind: "stored" };
    const status = takenStatus(tx, id);
    if (status !== undefined && ifExists !== "reuse") {
      if (ifExists === "fail" || !hasEnded(status)) return { kind: "exists", status };
      deleteTree(tx, OPERATION, id);
    }
    for (const message of messages) addMessage(tx, message, { visibleAtMs: tx.nowMs, fromClient: true });
    const isNew = status === undefined || ifExists === "restart";
    if (last !== undefined && isNew) addMessage(tx, last, { visibleAtMs: later(tx.nowMs, delayMs) });
    if (messageId !== undefined) rememberMessage(tx, id, messageId);
    return { kind: "stored" };
  };
}

/** The status of the instance with this id; `undefined` if there are at most messages for it. */
function takenStatus(tx: Transaction, id: string): Taken | undefined {
  const row = tx.db.get<{ named: number; status: string; queued: number }>(STANDING, id);
  if (row === undefined) return undefined;
  if (row.named === 0) return row.queued === 0 ? undefined : "Queued";
  return row.status === "Completed" || row.status === "Failed" ? row.status : "Running";
}
