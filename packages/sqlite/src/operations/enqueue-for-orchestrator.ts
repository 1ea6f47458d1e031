/** Adds a message to the queue of an instance (docs/reference/provider-contract.md §10). */
import {
  type EnqueueOptions,
  type EnqueueOutcome,
  hasEnded,
  isOfAnother,
  later,
  type OrchestratorItem,
  toDurationMs,
  toMessageId,
} from "@duroxide-ts/core/stores";
import type { Transaction, WriteOperation } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";
import { type Message, toMessage } from "../rows/message-row.ts";
import { addFirstMessage, addMessage } from "../storing/add-message.ts";
import { isRemembered, rememberMessage } from "../storing/message-ids.ts";
import { standingOf, takenBy } from "../storing/taken-id.ts";

const OPERATION = "enqueueForOrchestrator";

export function enqueueForOrchestrator(
  item: OrchestratorItem,
  delayMs?: number,
  options?: EnqueueOptions,
): WriteOperation<EnqueueOutcome> {
  const message = toMessage(OPERATION, item);
  const givenId = toMessageId(OPERATION, item, options);
  const messageId = givenId === undefined ? undefined : toText(givenId);
  const hiddenForMs = toDurationMs(OPERATION, "delayMs", delayMs ?? 0);
  return (tx) => {
    if (options?.ifMissing === "fail") {
      const refusal = refusalOf(tx, message.instanceId);
      if (refusal !== undefined)
        return messageId !== undefined && isRemembered(tx, message.instanceId, messageId)
          ? "stored"
          : refusal;
    }
    const isPlainStart = options?.ifTaken !== undefined && hiddenForMs === 0 && messageId === undefined;
    if (isPlainStart && addFirstMessage(tx, message)) return "stored";
    const taken = options?.ifTaken === undefined ? undefined : takenBy(tx, OPERATION, message.instanceId);
    if (taken !== undefined && isOfAnother(taken, item)) return taken;
    const visibleAtMs = later(tx.nowMs, hiddenForMs);
    if (messageId === undefined) addMessage(tx, message, { visibleAtMs, fromClient: true });
    else addMessageOnce(tx, message, visibleAtMs, messageId);
    return taken === undefined ? "stored" : "reused";
  };
}

function refusalOf(tx: Transaction, instanceId: string): EnqueueOutcome | undefined {
  const standing = standingOf(tx, instanceId);
  if (standing === undefined) return "not-found";
  return hasEnded(standing.status) && !standing.isSuspended ? "ended" : undefined;
}

function addMessageOnce(tx: Transaction, message: Message, visibleAtMs: number, messageId: string): void {
  const remembered = rememberMessage(tx, message.instanceId, messageId);
  if (remembered === "known") return;
  addMessage(tx, message, { visibleAtMs, fromClient: true });
  if (remembered === "no-instance") rememberMessage(tx, message.instanceId, messageId);
}
