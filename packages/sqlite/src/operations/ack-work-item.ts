/**
 * Deletes a locked activity and queues its outcome in the same transaction
 * (docs/reference/provider-contract.md §10). A missing row was cancelled or acknowledged before.
 */
import { type ActivityOutcome, invalidInput, ProviderError } from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../commit/transaction.ts";
import { parseLockToken } from "../rows/lock-token.ts";
import { type Message, toMessage } from "../rows/message-row.ts";
import { addMessage } from "../storing/add-message.ts";
import { endActivity } from "../storing/end-activity.ts";

const OPERATION = "ackWorkItem";

export function ackWorkItem(lockToken: string, outcome?: ActivityOutcome): WriteOperation<void> {
  const token = parseLockToken(OPERATION, lockToken);
  const message = outcome === undefined ? undefined : toOutcome(outcome);
  return (tx) => {
    if (!endActivity(tx, token)) throw ProviderError.lockLost(OPERATION);
    if (message !== undefined) addMessage(tx, message, { visibleAtMs: tx.nowMs });
  };
}

function toOutcome(outcome: ActivityOutcome): Message {
  if (outcome.kind === "ActivityCompleted" || outcome.kind === "ActivityFailed") {
    return toMessage(OPERATION, outcome);
  }
  throw invalidInput(OPERATION, "an activity ends with ActivityCompleted or ActivityFailed, nothing else");
}
