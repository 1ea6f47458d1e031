/** Adds a message to the queue of an instance (docs/reference/provider-contract.md §10). */
import {
  type EnqueueOptions,
  type EnqueueOutcome,
  hasEnded,
  later,
  type OrchestratorItem,
  toDurationMs,
  toMessageId,
} from "@duroxide-ts/core/stores";
import type { Transaction, WriteOperation } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";
import { type Message, toMessage } from "../rows/message-row.ts";
import { addMessage } from "../storing/add-message.ts";
import { isRemembered, rememberMessage } from "../storing/message-ids.ts";
import { isOther, takenBy } from "../storing/taken-id.ts";

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
      const isRepetition = () => messageId !== undefined && isRemembered(tx, message.instanceId, messageId);
      if (refusal !== undefined) return isRepetition() ? "stored" : refusal;
    }
    const taken = options?.ifTaken === undefined ? undefined : takenBy(tx, message.instanceId);
    if (taken !== undefined && isOther(taken, item))
      return { orchestration: taken.orchestration, status: taken.status };
    const visibleAtMs = later(tx.nowMs, hiddenForMs);
    if (messageId === undefined) addMessage(tx, message, { visibleAtMs, fromClient: true });
    else addMessageOnce(tx, message, visibleAtMs, messageId);
    return taken === undefined ? "stored" : "reused";
  };
}

function refusalOf(tx: Transaction, instanceId: string): EnqueueOutcome | undefined {
  const taken = takenBy(tx, instanceId);
  if (taken === undefined) return "not-found";
  return hasEnded(taken.status) && !taken.isSuspended ? "ended" : undefined;
}

function addMessageOnce(tx: Transaction, message: Message, visibleAtMs: number, messageId: string): void {
  const remembered = rememberMessage(tx, message.instanceId, messageId);
  if (remembered === "known") return;
  addMessage(tx, message, { visibleAtMs, fromClient: true });
  if (remembered === "no-instance") rememberMessage(tx, message.instanceId, messageId);
}
