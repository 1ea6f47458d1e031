/**
 * Commits a turn (docs/reference/provider-contract.md §7). All checks come first: the lock, then event ids that are
 * stored already. Therefore a turn is stored completely or not at all, and a rejected turn keeps its lock.
 */
import { type AckedOrchestration, type OrchestrationAck, ProviderError } from "@duroxide-ts/core/stores";
import type { KnownInstances } from "../commit/known-instances.ts";
import type { Transaction, WriteOperation } from "../commit/transaction.ts";
import type { LockedInstance } from "../rows/instance-row.ts";
import { type LockToken, parseLockToken } from "../rows/lock-token.ts";
import { toPreparedTurn } from "../turn/prepared-turn.ts";
import { refuseDuplicates, storeTurn } from "../turn/store-turn.ts";

const OPERATION = "ackOrchestrationItem";

/** Deletes only rows that the fetch tagged, which were all visible when it took the lock. */
const DELETE_BATCH = `DELETE FROM orchestrator_queue
  WHERE instance_key = ? AND visible_at <= ? AND lock_token = ?`;

const UNBLOCK = "UPDATE instances SET blocked_since = NULL, blocked = NULL WHERE instance_key = ?";

export function ackOrchestrationItem(
  ack: OrchestrationAck,
  known: KnownInstances,
): WriteOperation<AckedOrchestration> {
  const token = parseLockToken(OPERATION, ack.lockToken);
  const turn = toPreparedTurn(OPERATION, ack);
  return (tx) => {
    const instance = findLockedInstance(tx, OPERATION, token);
    refuseDuplicates(tx, OPERATION, instance, turn);
    deleteBatch(tx, token);
    if (instance.blocked_since !== null) tx.db.run(UNBLOCK, instance.instance_key);
    storeTurn(tx, instance, turn, { historyTag: token.secret, known });
    return { historyTag: token.secret };
  };
}

function deleteBatch(tx: Transaction, token: LockToken): void {
  if (tx.effects.queue.deleteHeld(tx.db, token)) return;
  tx.db.run(DELETE_BATCH, token.key, token.visibleUntilMs, token.secret);
}

/** A lock is valid while its token matches and its end is in the future. */
const FIND_LOCKED = `SELECT instance_key, instance_id, orchestration_name, orchestration_version,
    execution_id, last_event_id, status, completed_at, pinned_version, kv_layers, blocked_since
  FROM instances WHERE instance_key = ? AND lock_token = ? AND due_at > ?`;

/** Finds the locked instance of a commit. */
function findLockedInstance(tx: Transaction, operation: string, token: LockToken): LockedInstance {
  const held = tx.effects.queue.findHeld(token);
  if (held !== undefined) return held;
  const instance = tx.db.get<LockedInstance>(FIND_LOCKED, token.key, token.secret, tx.nowMs);
  if (instance === undefined) throw ProviderError.lockLost(operation);
  return instance;
}
