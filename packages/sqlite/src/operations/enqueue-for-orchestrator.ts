/** Adds a message to the queue of an instance (docs/reference/provider-contract.md §10). */
import {
  type EnqueueOptions,
  later,
  type OrchestratorItem,
  toDurationMs,
  toMessageId,
} from "@duroxide-ts/core/stores";
import type { Transaction, WriteOperation } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";
import { type Message, toMessage } from "../rows/message-row.ts";
import { addMessage } from "../storing/add-message.ts";
import { rememberMessage } from "../storing/message-ids.ts";

const OPERATION = "enqueueForOrchestrator";

export function enqueueForOrchestrator(
  item: OrchestratorItem,
  delayMs?: number,
  options?: EnqueueOptions,
): WriteOperation<void> {
  const message = toMessage(OPERATION, item);
  const messageId = toMessageId(OPERATION, item, options);
  const hiddenForMs = toDurationMs(OPERATION, "delayMs", delayMs ?? 0);
  return (tx) => {
    const visibleAtMs = later(tx.nowMs, hiddenForMs);
    if (messageId === undefined) addMessage(tx, message, { visibleAtMs, fromClient: true });
    else addMessageOnce(tx, message, visibleAtMs, toText(messageId));
  };
}

function addMessageOnce(tx: Transaction, message: Message, visibleAtMs: number, messageId: string): void {
  const remembered = rememberMessage(tx, message.instanceId, messageId);
  if (remembered === "known") return;
  addMessage(tx, message, { visibleAtMs, fromClient: true });
  if (remembered === "no-instance") rememberMessage(tx, message.instanceId, messageId);
}
