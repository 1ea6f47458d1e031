/**
 * Commits a turn (docs/reference/provider-contract.md §7). All checks come first: the lock, then event ids that are
 * stored already. After the first write only the store itself can fail, which rolls back the whole transaction.
 * Therefore a turn is stored completely or not at all, and a rejected turn keeps its lock.
 *
 * The instance row is written last, because its due time depends on the queue at that point.
 */
import type { AckedOrchestration, OrchestrationAck } from "@duroxide-ts/core/stores";
import type { Transaction, WriteOperation } from "../commit/transaction.ts";
import { fromText } from "../rows/codec.ts";
import type { LockedInstance, Requester } from "../rows/instance-row.ts";
import type { LockToken } from "../rows/lock-token.ts";
import { addActivity, requesterOf } from "../storing/add-activity.ts";
import { addEvents, refuseStoredEvents } from "../storing/add-events.ts";
import { addMessage, addMessageOf, returnMessage } from "../storing/add-message.ts";
import { findLockedInstance } from "../turn/locked-instance.ts";
import { type PreparedAck, toPreparedAck } from "../turn/prepared-ack.ts";
import { storeCustomStatus } from "../turn/store-custom-status.ts";
import { storeExecution } from "../turn/store-execution.ts";
import { storeInstance } from "../turn/store-instance.ts";
import { storeKv } from "../turn/store-kv.ts";

const OPERATION = "ackOrchestrationItem";

/** Deletes only rows that the fetch tagged, which were all visible when it took the lock. */
const DELETE_BATCH = `DELETE FROM orchestrator_queue
  WHERE instance_key = ? AND visible_at <= ? AND lock_token = ?`;

const UNBLOCK = "UPDATE instances SET blocked_since = NULL, blocked = NULL WHERE instance_key = ?";

const CANCEL_ACTIVITY = `DELETE FROM worker_queue
  WHERE instance_key = (SELECT instance_key FROM instances WHERE instance_id = ?)
    AND execution_id = ? AND activity_id = ?`;

export function ackOrchestrationItem(ack: OrchestrationAck): WriteOperation<AckedOrchestration> {
  const prepared = toPreparedAck(OPERATION, ack);
  return (tx) => {
    const instance = findLockedInstance(tx, OPERATION, prepared.token);
    refuseDuplicates(tx, instance, prepared);
    deleteBatch(tx, prepared.token);
    storeActivities(tx, instance, prepared);
    storeMessages(tx, instance, prepared);
    addEvents(tx, instance.instance_key, prepared.executionId, prepared.events);
    storeExecution(tx, instance, prepared);
    storeCustomStatus(tx, instance.instance_key, prepared);
    const kvLayers = storeKv(tx, instance.instance_key, instance.kv_layers, prepared);
    if (instance.blocked_since !== null) tx.db.run(UNBLOCK, instance.instance_key);
    storeInstance(tx, instance, prepared, kvLayers);
    if (prepared.customStatus !== undefined || prepared.changesKv) {
      tx.effects.touchedInstances.add(fromText(instance.instance_id));
    }
    return { historyTag: prepared.token.secret };
  };
}

function deleteBatch(tx: Transaction, token: LockToken): void {
  if (tx.effects.queue.deleteHeld(tx.db, token)) return;
  tx.db.run(DELETE_BATCH, token.key, token.visibleUntilMs, token.secret);
}

/** In the common case, with later ids for the newest execution, no event can be stored already. */
function refuseDuplicates(tx: Transaction, instance: LockedInstance, ack: PreparedAck): void {
  const first = ack.events[0];
  if (first === undefined) return;
  const isNew = ack.executionId > instance.execution_id;
  const isLater = ack.executionId === instance.execution_id && first.eventId > instance.last_event_id;
  if (ack.ascending && (isNew || isLater)) return;
  refuseStoredEvents(tx, OPERATION, instance.instance_key, ack.executionId, ack.events);
}

/** Adds before it cancels, so that a worker never gets an activity that one turn schedules and cancels. */
function storeActivities(tx: Transaction, instance: LockedInstance, ack: PreparedAck): void {
  const requester = namedRequester(instance, ack);
  for (const activity of ack.activities) {
    const isOwn = activity.instanceId === instance.instance_id;
    addActivity(tx, isOwn ? requester : requesterOf(tx, activity.instanceId), activity);
  }
  for (const { instanceId, executionId, activityId } of ack.cancelled) {
    tx.db.run(CANCEL_ACTIVITY, instanceId, executionId, activityId);
  }
}

/** The first turn stores the name of the instance and may schedule activities at once. */
function namedRequester(instance: LockedInstance, ack: PreparedAck): Requester {
  if (ack.name === undefined) return instance;
  return { ...ack.name, instance_key: instance.instance_key };
}

function storeMessages(tx: Transaction, instance: LockedInstance, ack: PreparedAck): void {
  for (const message of ack.returned) returnMessage(tx, instance.instance_key, message, ack.executionId);
  for (const message of ack.messages) {
    const { instanceId, fireAtMs = tx.nowMs } = message;
    if (instanceId === instance.instance_id) addMessageOf(tx, instance.instance_key, message, fireAtMs);
    else addMessage(tx, message, { visibleAtMs: fireAtMs });
  }
}
