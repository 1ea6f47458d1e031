/**
 * Deletes a locked activity and queues its outcome in the same transaction
 * (docs/reference/provider-contract.md §10). A missing row was cancelled or acknowledged before.
 */
import { type ActivityOutcome, invalidInput, ProviderError } from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../commit/transaction.ts";
import { endPermit } from "../limits/queues.ts";
import { parseLockToken, RANKED_TOKEN } from "../rows/lock-token.ts";
import { type Message, toMessage } from "../rows/message-row.ts";
import { addMessage } from "../storing/add-message.ts";
import { touchSession } from "../storing/touch-session.ts";

const OPERATION = "ackWorkItem";

const DELETE = "DELETE FROM worker_queue WHERE id = ? AND lock_token = ? AND due_at > ? RETURNING session_id";

const DELETE_RANKED =
  "DELETE FROM worker_queue WHERE id = ? AND lock_token = ? AND due_at > ? RETURNING session_id, limit_key";

interface DeletedRow {
  readonly session_id: string | null;
  readonly limit_key?: string | null;
}

export function ackWorkItem(lockToken: string, outcome?: ActivityOutcome): WriteOperation<void> {
  const { key, secret, visibleUntilMs } = parseLockToken(OPERATION, lockToken);
  const statement = visibleUntilMs === RANKED_TOKEN ? DELETE_RANKED : DELETE;
  const message = outcome === undefined ? undefined : toOutcome(outcome);
  return (tx) => {
    const deleted = tx.db.get<DeletedRow>(statement, key, secret, tx.nowMs);
    if (deleted === undefined) throw ProviderError.lockLost(OPERATION);
    endPermit(tx, deleted.limit_key ?? null);
    touchSession(tx, deleted.session_id);
    if (message !== undefined) addMessage(tx, message, { visibleAtMs: tx.nowMs });
  };
}

function toOutcome(outcome: ActivityOutcome): Message {
  if (outcome.kind === "ActivityCompleted" || outcome.kind === "ActivityFailed") {
    return toMessage(OPERATION, outcome);
  }
  throw invalidInput(OPERATION, "an activity ends with ActivityCompleted or ActivityFailed, nothing else");
}
