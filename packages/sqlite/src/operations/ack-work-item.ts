/**
 * Deletes a locked activity and queues its outcome in the same transaction
 * (docs/reference/provider-contract.md §10). A row that is gone was cancelled or acknowledged before.
 */
import { type ActivityOutcome, ProviderError } from "@duroxide-ts/core";
import { invalidInput } from "@duroxide-ts/core/stores";
import { encodeWorkItem, toText } from "../codec.ts";
import { parseLockToken } from "../lock-token.ts";
import type { WriteOperation } from "../transaction.ts";
import { addMessage } from "./enqueue-for-orchestrator.ts";
import { touchSession } from "./touch-session.ts";

const OPERATION = "ackWorkItem";

const DELETE = "DELETE FROM worker_queue WHERE id = ? AND lock_token = ? AND due_at > ? RETURNING session_id";

export function ackWorkItem(lockToken: string, outcome?: ActivityOutcome): WriteOperation<void> {
  const { key, secret } = parseLockToken(OPERATION, lockToken);
  const message = outcome === undefined ? undefined : toMessage(outcome);
  return (tx) => {
    const deleted = tx.db.get<{ session_id: string | null }>(DELETE, key, secret, tx.nowMs);
    if (deleted === undefined) throw ProviderError.lockLost(OPERATION);
    touchSession(tx, deleted.session_id);
    if (message !== undefined) addMessage(tx, message.instanceId, message.workItem, tx.nowMs);
  };
}

function toMessage(outcome: ActivityOutcome): { readonly instanceId: string; readonly workItem: string } {
  if (outcome.kind === "ActivityCompleted" || outcome.kind === "ActivityFailed") {
    return { instanceId: toText(outcome.instance), workItem: encodeWorkItem(OPERATION, outcome) };
  }
  throw invalidInput(OPERATION, "an activity ends with ActivityCompleted or ActivityFailed, nothing else");
}
