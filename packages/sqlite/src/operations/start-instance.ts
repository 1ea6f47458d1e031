/**
 * Stores a start with its messages and deadline, by the rule for a taken id (docs/reference/provider-contract.md
 * §10.1).
 */
import {
  checkStartInstance,
  hasEnded,
  isOfAnother,
  later,
  type StartInstanceOptions,
  type StartOutcome,
  toDurationMs,
  toMessageId,
  type WorkItemOf,
} from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";
import { toMessage } from "../rows/message-row.ts";
import { addMessage } from "../storing/add-message.ts";
import { deleteTree } from "../storing/delete-tree.ts";
import { holdStart } from "../storing/held-start.ts";
import { isRemembered, rememberMessage } from "../storing/message-ids.ts";
import { takenBy } from "../storing/taken-id.ts";

const OPERATION = "startInstance";

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
    if (messageId !== undefined && isRemembered(tx, id, messageId))
      return { kind: "stored", created: ifExists !== "reuse" };
    if (options.debounce !== undefined) {
      const created = takenBy(tx, OPERATION, id) === undefined;
      holdStart(tx, start, { ifExists, ...options.debounce });
      if (messageId !== undefined) rememberMessage(tx, id, messageId);
      return { kind: "stored", created };
    }
    const found = takenBy(tx, OPERATION, id);
    if (found !== undefined) {
      const isRefused =
        ifExists === "reuse" ? isOfAnother(found, start) : ifExists === "fail" || !hasEnded(found.status);
      if (isRefused) return { kind: "exists", ...found };
      if (ifExists === "restart") deleteTree(tx, OPERATION, id);
    }
    for (const message of messages) addMessage(tx, message, { visibleAtMs: tx.nowMs, fromClient: true });
    const created = found === undefined || ifExists === "restart";
    if (last !== undefined && created) addMessage(tx, last, { visibleAtMs: later(tx.nowMs, delayMs) });
    if (messageId !== undefined) rememberMessage(tx, id, messageId);
    return { kind: "stored", created };
  };
}
