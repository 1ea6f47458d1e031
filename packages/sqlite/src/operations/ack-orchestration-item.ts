/**
 * Commits a turn (docs/reference/provider-contract.md §7). Everything that can refuse it is checked first: the
 * lock, then event ids that are stored already. From the first write on only the store itself can fail, which
 * undoes the whole transaction; so a turn is stored completely or not at all, and a refused one keeps its lock.
 *
 * The instance comes last: its due time is computed from what is queued by then.
 */
import type { AckedOrchestration, OrchestrationAck } from "@duroxide-ts/core";
import { fromText } from "../codec.ts";
import type { LockToken } from "../lock-token.ts";
import type { Transaction, WriteOperation } from "../transaction.ts";
import type { LockedInstance, Requester } from "../turn/instance-row.ts";
import { findLockedInstance, refuseStoredEvents } from "../turn/locked-instance.ts";
import { storeCustomStatus } from "../turn/store-custom-status.ts";
import { storeExecution } from "../turn/store-execution.ts";
import { storeInstance } from "../turn/store-instance.ts";
import { storeKv } from "../turn/store-kv.ts";
import { type Turn, toTurn } from "../turn/turn.ts";
import { addEvents } from "./append-history.ts";
import { addMessage, addMessageOf, returnMessage } from "./enqueue-for-orchestrator.ts";
import { addActivity, requesterOf } from "./enqueue-for-worker.ts";

const OPERATION = "ackOrchestrationItem";

/** Only rows that the fetch tagged, which all were visible when it took the lock. */
const DELETE_BATCH = `DELETE FROM orchestrator_queue
  WHERE instance_key = ? AND visible_at <= ? AND lock_token = ?`;

const UNBLOCK = "UPDATE instances SET blocked_since = NULL, blocked = NULL WHERE instance_key = ?";

const CANCEL_ACTIVITY = `DELETE FROM worker_queue
  WHERE instance_key = (SELECT instance_key FROM instances WHERE instance_id = ?)
    AND execution_id = ? AND activity_id = ?`;

export function ackOrchestrationItem(ack: OrchestrationAck): WriteOperation<AckedOrchestration> {
  const turn = toTurn(OPERATION, ack);
  return (tx) => {
    const instance = findLockedInstance(tx, OPERATION, turn.token);
    refuseDuplicates(tx, instance, turn);
    deleteBatch(tx, turn.token);
    storeActivities(tx, instance, turn);
    storeMessages(tx, instance, turn);
    addEvents(tx, instance.instance_key, turn.executionId, turn.events);
    storeExecution(tx, instance, turn);
    storeCustomStatus(tx, instance.instance_key, turn);
    const kvLayers = storeKv(tx, instance.instance_key, instance.kv_layers, turn);
    if (instance.blocked_since !== null) tx.db.run(UNBLOCK, instance.instance_key);
    storeInstance(tx, instance, turn, kvLayers);
    if (turn.customStatus !== undefined || turn.changesKv) {
      tx.effects.touchedInstances.add(fromText(instance.instance_id));
    }
    return { historyTag: turn.token.secret };
  };
}

function deleteBatch(tx: Transaction, token: LockToken): void {
  if (tx.effects.queue.deleteHeld(tx.db, token)) return;
  tx.db.run(DELETE_BATCH, token.key, token.visibleUntilMs, token.secret);
}

/** In the common case, later ids for the newest execution, nothing can be stored already. */
function refuseDuplicates(tx: Transaction, instance: LockedInstance, turn: Turn): void {
  const first = turn.events[0];
  if (first === undefined) return;
  const isNew = turn.executionId > instance.execution_id;
  const isLater = turn.executionId === instance.execution_id && first.eventId > instance.last_event_id;
  if (turn.ascending && (isNew || isLater)) return;
  refuseStoredEvents(tx, OPERATION, instance.instance_key, turn.executionId, turn.events);
}

/** Adds before it cancels: what is both scheduled and cancelled in one turn is never seen by a worker. */
function storeActivities(tx: Transaction, instance: LockedInstance, turn: Turn): void {
  const requester = namedRequester(instance, turn);
  for (const activity of turn.activities) {
    const isOwn = activity.instanceId === instance.instance_id;
    addActivity(tx, isOwn ? requester : requesterOf(tx, activity.instanceId), activity);
  }
  for (const { instanceId, executionId, activityId } of turn.cancelled) {
    tx.db.run(CANCEL_ACTIVITY, instanceId, executionId, activityId);
  }
}

/** The first turn names the instance and may schedule activities at once. */
function namedRequester(instance: LockedInstance, turn: Turn): Requester {
  if (turn.name === undefined) return instance;
  return { ...turn.name, instance_key: instance.instance_key };
}

function storeMessages(tx: Transaction, instance: LockedInstance, turn: Turn): void {
  for (const message of turn.returned) returnMessage(tx, instance.instance_key, message, turn.executionId);
  for (const message of turn.messages) {
    const { instanceId, fireAtMs = tx.nowMs } = message;
    if (instanceId === instance.instance_id) addMessageOf(tx, instance.instance_key, message, fireAtMs);
    else addMessage(tx, message, { visibleAtMs: fireAtMs });
  }
}
