/**
 * Stores the changes of a turn (docs/reference/provider-contract.md §7) after all checks. From here on only the store
 * itself can fail, which rolls back the whole transaction.
 *
 * The instance is written last, because its due time is computed from the messages that are queued by then.
 */
import { hasEnded } from "@duroxide-ts/core/stores";
import type { KnownInstances } from "../commit/known-instances.ts";
import type { Transaction } from "../commit/transaction.ts";
import { type LeavingRow, leaveLimits } from "../limits/leave.ts";
import { toOptionalText } from "../rows/codec.ts";
import type { LockedInstance, Requester } from "../rows/instance-row.ts";
import { addActivity, addOwnActivity, requesterOf } from "../storing/add-activity.ts";
import { addEvents, refuseStoredEvents } from "../storing/add-events.ts";
import { addMessage, addMessageOf, returnMessage } from "../storing/add-message.ts";
import { openStreams } from "../streams/stream-rows.ts";
import { dropTimers } from "./drop-timers.ts";
import type { PreparedTurn } from "./prepared-turn.ts";
import { storeExecution } from "./store-execution.ts";
import { storeInstance } from "./store-instance.ts";
import { storeKv } from "./store-kv.ts";
import { storeStreams } from "./store-streams.ts";
import { storeTags } from "./store-tags.ts";

const CANCEL_ACTIVITY = `DELETE FROM worker_queue
  WHERE instance_key = (SELECT instance_key FROM instances WHERE instance_id = ?)
    AND execution_id = ? AND activity_id = ? RETURNING limit_key, lane, due_at`;

export interface StoreTurnOptions {
  /** Tag of the history after the commit. */
  readonly historyTag: string;
  /** Memory for the instance until its next turn. */
  readonly known?: KnownInstances;
  /** Whether the instance is not locked and the turn changes nothing in its queue, so that its due time stays as it is. */
  readonly keepsDueTime?: boolean;
}

export function storeTurn(
  tx: Transaction,
  instance: LockedInstance,
  turn: PreparedTurn,
  { historyTag, known, keepsDueTime = false }: StoreTurnOptions,
): void {
  storeActivities(tx, instance, turn);
  dropTimers(tx, instance, turn.droppedTimers);
  storeMessages(tx, instance, turn);
  addEvents(tx, instance.instance_key, turn.executionId, turn.events);
  storeExecution(tx, instance, turn);
  storeCustomStatus(tx, instance.instance_key, turn);
  const kvLayers = storeKv(tx, instance.instance_key, instance.kv_layers, turn);
  const stored = storeInstance(tx, instance, turn, { historyTag, kvLayers, keepsDueTime });
  if (stored.hasEnded) known?.forget(instance);
  else known?.keep(stored.toRow(), historyTag);
  if (hasEnded(instance.status) && turn.executionId > instance.execution_id)
    openStreams(tx, instance.instance_key);
  if (turn.streams !== undefined) storeStreams(tx, instance, turn.streams);
  const exists = instance.orchestration_name !== null || turn.name !== undefined;
  const tags = exists ? turn.metadata.tags : undefined;
  // After the instance, which has its creation time then.
  if (tags !== undefined) storeTags(tx, instance.instance_key, tags);
  if (turn.customStatus !== undefined || turn.changesKv || tags !== undefined) {
    tx.effects.touch(instance.instance_id);
  }
}

/** Refuses events that are stored. None can be in the common case, later ids for the newest execution. */
export function refuseDuplicates(
  tx: Transaction,
  operation: string,
  instance: LockedInstance,
  ack: PreparedTurn,
): void {
  const first = ack.events[0];
  if (first === undefined) return;
  const isNew = ack.executionId > instance.execution_id;
  const isLater = ack.executionId === instance.execution_id && first.eventId > instance.last_event_id;
  if (ack.ascending && (isNew || isLater)) return;
  refuseStoredEvents(tx, operation, instance.instance_key, ack.executionId, ack.events);
}

/** Adds before it cancels, because a turn may schedule and cancel the same activity. */
function storeActivities(tx: Transaction, instance: LockedInstance, ack: PreparedTurn): void {
  const requester = namedRequester(instance, ack);
  for (const activity of ack.activities) {
    if (activity.instanceId === instance.instance_id) addOwnActivity(tx, requester, activity);
    else addActivity(tx, requesterOf(tx, activity.instanceId), activity);
  }
  if (ack.cancelled.length > 0) tx.effects.newActivities.writeAll(tx.db);
  for (const { instanceId, executionId, activityId } of ack.cancelled) {
    leaveLimits(tx, tx.db.all<LeavingRow>(CANCEL_ACTIVITY, instanceId, executionId, activityId));
  }
}

/** The first turn names the instance and may schedule activities at once. */
function namedRequester(instance: LockedInstance, ack: PreparedTurn): Requester {
  if (ack.name === undefined) return instance;
  return { ...ack.name, instance_key: instance.instance_key };
}

function storeMessages(tx: Transaction, instance: LockedInstance, ack: PreparedTurn): void {
  for (const message of ack.returned) returnMessage(tx, instance.instance_key, message, ack.executionId);
  for (const message of ack.messages) {
    const { instanceId, dueAtMs = tx.nowMs } = message;
    if (instanceId === instance.instance_id) addMessageOf(tx, instance.instance_key, message, dueAtMs);
    else addMessage(tx, message, { visibleAtMs: dueAtMs });
  }
}

const SET_STATUS = `INSERT INTO custom_statuses (instance_key, custom_status, version) VALUES (?, ?, 1)
  ON CONFLICT (instance_key) DO UPDATE SET custom_status = excluded.custom_status, version = version + 1`;

/**
 * Stores the last CustomStatusUpdated of a turn; each turn increments the version once
 * (docs/reference/provider-contract.md §14).
 */
function storeCustomStatus(tx: Transaction, instanceKey: number, ack: PreparedTurn): void {
  if (ack.customStatus === undefined) return;
  tx.db.run(SET_STATUS, instanceKey, toOptionalText(ack.customStatus.status));
}
