/**
 * Writes the instance after a turn, unlocked. The row repeats status and pinned version of its current execution,
 * because fetches and listings search for them. A new execution starts as Running and unpinned, whatever the end of the
 * previous one (docs/reference/provider-contract.md §2; §7, steps 3 and 6).
 */
import { hasEnded, onlyDiscards, SCHEDULE_ORCHESTRATION } from "@duroxide-ts/core/stores";
import { totalOf } from "../commit/effects.ts";
import type { Transaction } from "../commit/transaction.ts";
import { endPermitOf } from "../limits/admit.ts";
import { fromText, toPin, toText } from "../rows/codec.ts";
import type { LockedInstance } from "../rows/instance-row.ts";
import type { PreparedTurn } from "./prepared-turn.ts";

/** Update after most turns, which change no indexed column except the times. */
const CONTINUE = `UPDATE instances SET last_event_id = ?2, history_tag = ?3, kv_layers = ?4, updated_at = ?5,
    context_misses = 0, lock_token = NULL,
    due_at = (SELECT iif(min(visible_at) < 0, ?5, min(visible_at)) FROM orchestrator_queue
      WHERE instance_key = ?1)
  WHERE instance_key = ?1 RETURNING due_at`;

/** The turn that stores the name also sets parent and creation time, which never change. */
const CHANGE = `UPDATE instances SET last_event_id = ?2, history_tag = ?3, kv_layers = ?4, updated_at = ?5,
    context_misses = 0, lock_token = NULL,
    due_at = (SELECT iif(min(visible_at) < 0, ?5, min(visible_at)) FROM orchestrator_queue
      WHERE instance_key = ?1),
    execution_id = ?6, pinned_version = ?7, status = ?8, completed_at = ?9,
    orchestration_name = ?10, orchestration_version = ?11,
    parent_instance_id = CASE WHEN orchestration_name IS NULL THEN ?12 ELSE parent_instance_id END,
    created_at = CASE WHEN orchestration_name IS NULL THEN ?5 ELSE created_at END,
    failure_category = iif(?8 = 'Failed', coalesce(?13, failure_category), NULL),
    starts_at = CASE WHEN ?6 > execution_id THEN ?14 ELSE starts_at END,
    held_since = iif(?8 = 'Running', held_since, NULL)
  WHERE instance_key = ?1 RETURNING due_at, limit_key`;

/** Update like `CHANGE` for an execution that has begun: SQLite writes each index of which a column is named. */
const CHANGE_STATUS = `UPDATE instances SET last_event_id = ?2, history_tag = ?3, kv_layers = ?4, updated_at = ?5,
    context_misses = 0, lock_token = NULL,
    due_at = (SELECT iif(min(visible_at) < 0, ?5, min(visible_at)) FROM orchestrator_queue
      WHERE instance_key = ?1),
    pinned_version = ?6, status = ?7, completed_at = ?8,
    failure_category = iif(?7 = 'Failed', coalesce(?9, failure_category), NULL),
    held_since = iif(?7 = 'Running', held_since, NULL)
  WHERE instance_key = ?1 RETURNING due_at, limit_key`;

/** Update after messages that an ended instance discards: it has not changed. */
const DISCARD = `UPDATE instances SET history_tag = ?2, context_misses = 0, lock_token = NULL,
    due_at = (SELECT iif(min(visible_at) < 0, ?3, min(visible_at)) FROM orchestrator_queue
      WHERE instance_key = ?1)
  WHERE instance_key = ?1 RETURNING due_at`;

/** Update like `CONTINUE`, for an instance that is not locked and whose messages have not changed. */
const CONTINUE_UNLOCKED = `UPDATE instances SET last_event_id = ?, history_tag = ?, kv_layers = ?, updated_at = ?,
    context_misses = 0
  WHERE instance_key = ?`;

/** Name and status of the instance after the turn, as columns. */
interface Outcome {
  readonly name: string | null;
  readonly version: string | null;
  readonly executionId: number;
  readonly pin: string;
  readonly status: string;
  readonly completedAtMs: number | null;
}

interface InstanceChange {
  readonly historyTag: string;
  readonly kvLayers: number;
  readonly keepsDueTime: boolean;
}

export function storeInstance(
  tx: Transaction,
  instance: LockedInstance,
  ack: PreparedTurn,
  { historyTag, kvLayers, keepsDueTime }: InstanceChange,
): void {
  const changes = outcomeOf(tx, instance, ack);
  const lastEventId = lastEventIdOf(instance, ack);
  if (changes === undefined && keepsDueTime) {
    tx.db.run(CONTINUE_UNLOCKED, lastEventId, historyTag, kvLayers, tx.nowMs, instance.instance_key);
    return;
  }
  tx.effects.queue.write(tx.db, instance.instance_key);
  const row = writeInstance(tx, instance, ack, { lastEventId, historyTag, kvLayers, changes });
  if (typeof row?.due_at === "number") tx.effects.orchestrations.add(row.due_at);
  if (changes === undefined) return;
  const hasPermit = typeof row?.limit_key === "string";
  if (hasPermit && hasEnded(changes.status)) endPermitOf(tx, instance.instance_key);
  if (ack.metadata.status !== undefined) tx.effects.touchedInstances.add(fromText(instance.instance_id));
  countChange(tx, instance, changes);
}

interface WrittenInstance {
  readonly due_at: number | null;
  /** Set by what may end the instance. */
  readonly limit_key?: string | null;
}

interface InstanceWrite extends Omit<InstanceChange, "keepsDueTime"> {
  readonly lastEventId: number;
  readonly changes: Outcome | undefined;
}

function writeInstance(
  tx: Transaction,
  instance: LockedInstance,
  ack: PreparedTurn,
  { lastEventId, historyTag, kvLayers, changes }: InstanceWrite,
): WrittenInstance | undefined {
  const key = instance.instance_key;
  if (onlyDiscards(instance.status, ack.events, ack.metadata))
    return tx.db.get(DISCARD, key, historyTag, tx.nowMs);
  const common = [key, lastEventId, historyTag, kvLayers, tx.nowMs] as const;
  if (changes === undefined) return tx.db.get(CONTINUE, ...common);
  if (ack.name === undefined && changes.executionId === instance.execution_id) {
    const { pin, status, completedAtMs } = changes;
    return tx.db.get(CHANGE_STATUS, ...common, pin, status, completedAtMs, ack.failureCategory);
  }
  return tx.db.get(
    CHANGE,
    ...common,
    changes.executionId,
    changes.pin,
    changes.status,
    changes.completedAtMs,
    changes.name,
    changes.version,
    instance.orchestration_name === null ? parentOf(ack) : null,
    ack.failureCategory,
    ack.startsAtMs,
  );
}

function parentOf({ metadata }: PreparedTurn): string | null {
  return metadata.parentInstanceId === undefined ? null : toText(metadata.parentInstanceId);
}

/** The id up to which a later append cannot collide. */
function lastEventIdOf(instance: LockedInstance, ack: PreparedTurn): number {
  if (ack.executionId < instance.execution_id) return instance.last_event_id;
  if (ack.executionId > instance.execution_id) return ack.lastEventId;
  return Math.max(instance.last_event_id, ack.lastEventId);
}

/** `undefined` if the turn changes none of them. */
function outcomeOf(tx: Transaction, instance: LockedInstance, ack: PreparedTurn): Outcome | undefined {
  const { status, pinnedVersion } = ack.metadata;
  const { orchestration_name: name, orchestration_version: version } = ack.name ?? instance;
  const renamed = name !== instance.orchestration_name || version !== instance.orchestration_version;
  const isNew = ack.executionId > instance.execution_id;
  const isOld = ack.executionId < instance.execution_id;
  const ofCurrent = !isOld && (isNew || status !== undefined || pinnedVersion !== undefined);
  if (!renamed && !ofCurrent) return undefined;
  const kept = isNew ? { pin: "", status: "Running", completedAtMs: null } : currentOf(instance);
  return {
    name,
    version,
    executionId: Math.max(instance.execution_id, ack.executionId),
    pin: pinnedVersion === undefined || isOld ? kept.pin : toPin(pinnedVersion),
    status: status === undefined || isOld ? kept.status : status,
    completedAtMs: status === undefined || isOld ? kept.completedAtMs : tx.nowMs,
  };
}

function currentOf(instance: LockedInstance): Pick<Outcome, "pin" | "status" | "completedAtMs"> {
  return { pin: instance.pinned_version, status: instance.status, completedAtMs: instance.completed_at };
}

/** Counts only instances with a name. */
function countChange(tx: Transaction, before: LockedInstance, after: Outcome): void {
  if (after.name === null || after.name === SCHEDULE_ORCHESTRATION) return;
  const isNew = before.orchestration_name === null;
  if (isNew) tx.effects.count("instances", 1);
  if (!isNew && before.status === after.status) return;
  const left = isNew ? undefined : totalOf(before.status);
  const entered = totalOf(after.status);
  if (left !== undefined) tx.effects.count(left, -1);
  if (entered !== undefined) tx.effects.count(entered, 1);
}
