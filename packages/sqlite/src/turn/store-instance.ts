/**
 * Writes the instance after a turn, unlocked. The row repeats status and pinned version of its current execution,
 * because fetches and listings search for them. A new execution starts as Running and unpinned, whatever the end of the
 * previous one (docs/reference/provider-contract.md §2; §7, steps 3 and 6).
 */
import {
  hasEnded,
  type InstanceStatus,
  onlyDiscards,
  SCHEDULE_ORCHESTRATION,
} from "@duroxide-ts/core/stores";
import { totalOf } from "../commit/effects.ts";
import type { Transaction } from "../commit/transaction.ts";
import { endPermitOf } from "../limits/admit.ts";
import { toPin, toText } from "../rows/codec.ts";
import type { LockedInstance } from "../rows/instance-row.ts";
import type { PreparedTurn } from "./prepared-turn.ts";

const PROGRESS = `last_event_id = ?2, history_tag = ?3, kv_layers = ?4, updated_at = ?5, context_misses = 0`;

const UNLOCK = `lock_token = NULL,
    due_at = (SELECT iif(min(visible_at) < 0, ?5, min(visible_at)) FROM orchestrator_queue
      WHERE instance_key = ?1)`;

/** Changes of an execution that has begun. SQLite writes each index of which an UPDATE names a column. */
const STATUS = `status = ?6, completed_at = ?7,
    failure_category = iif(?6 = 'Failed', coalesce(?8, failure_category), NULL),
    held_since = iif(?6 = 'Running', held_since, NULL)`;

/** Columns for the rest of the status of an instance that ends; most have none of it. */
const BESIDES = `starts_at,
    (SELECT version FROM custom_statuses AS c WHERE c.instance_key = ?1) AS custom_status_version`;

/** Update after most turns, which change no indexed column except the times. */
const CONTINUE = `UPDATE instances SET ${PROGRESS}, ${UNLOCK} WHERE instance_key = ?1 RETURNING due_at`;

/** Update like `CONTINUE`, for an instance that is not locked and whose messages have not changed. */
const CONTINUE_UNLOCKED = `UPDATE instances SET ${PROGRESS} WHERE instance_key = ?1`;

const CHANGE_STATUS_UNLOCKED = `UPDATE instances SET ${PROGRESS}, ${STATUS}
  WHERE instance_key = ?1 RETURNING limit_key, ${BESIDES}`;

const CHANGE_STATUS = `UPDATE instances SET ${PROGRESS}, ${UNLOCK}, ${STATUS}, pinned_version = ?9
  WHERE instance_key = ?1 RETURNING due_at, limit_key, ${BESIDES}`;

/** The turn that stores the name also sets parent and creation time, which never change. */
const CHANGE = `UPDATE instances SET ${PROGRESS}, ${UNLOCK}, ${STATUS}, pinned_version = ?9,
    execution_id = ?10, orchestration_name = ?11, orchestration_version = ?12,
    parent_instance_id = CASE WHEN orchestration_name IS NULL THEN ?13 ELSE parent_instance_id END,
    created_at = CASE WHEN orchestration_name IS NULL THEN ?5 ELSE created_at END,
    starts_at = CASE WHEN ?10 > execution_id THEN ?14 ELSE starts_at END
  WHERE instance_key = ?1 RETURNING due_at, limit_key`;

/** Update after messages that an ended instance discards: it has not changed. */
const DISCARD = `UPDATE instances SET history_tag = ?3, context_misses = 0, ${UNLOCK}
  WHERE instance_key = ?1 RETURNING due_at`;

/** Characters of an output that stays in memory until the next transaction. */
const LARGEST_OUTPUT = 10_000;

/** Columns that the turn changes: name and status of the instance. */
type Outcome = Pick<
  LockedInstance,
  | "orchestration_name"
  | "orchestration_version"
  | "execution_id"
  | "pinned_version"
  | "status"
  | "completed_at"
>;

interface InstanceChange {
  readonly historyTag: string;
  readonly kvLayers: number;
  readonly keepsDueTime: boolean;
}

/** The row after a turn. */
export interface StoredInstance {
  readonly hasEnded: boolean;
  /** Made on demand: a copy of a row costs some microseconds. */
  toRow(): LockedInstance;
}

export function storeInstance(
  tx: Transaction,
  instance: LockedInstance,
  ack: PreparedTurn,
  { historyTag, kvLayers, keepsDueTime }: InstanceChange,
): StoredInstance {
  const changes = outcomeOf(tx, instance, ack);
  const lastEventId = lastEventIdOf(instance, ack);
  const toRow = (): LockedInstance => rowAfter(instance, changes, { lastEventId, kvLayers });
  if (changes === undefined && keepsDueTime) {
    tx.db.run(CONTINUE_UNLOCKED, instance.instance_key, lastEventId, historyTag, kvLayers, tx.nowMs);
    return { hasEnded: hasEnded(instance.status), toRow };
  }
  tx.effects.queue.write(tx.db, instance.instance_key);
  const row = writeInstance(tx, instance, ack, { lastEventId, historyTag, kvLayers, keepsDueTime, changes });
  if (typeof row?.due_at === "number") tx.effects.orchestrations.add(row.due_at);
  if (changes === undefined) return { hasEnded: hasEnded(instance.status), toRow };
  const ended = hasEnded(changes.status);
  if (typeof row?.limit_key === "string" && ended) endPermitOf(tx, instance.instance_key);
  if (ack.metadata.status !== undefined) tx.effects.touch(instance.instance_id);
  const status = row && statusAfter(instance, ack, changes, row);
  if (status === undefined) tx.effects.statuses.delete(instance.instance_id);
  else tx.effects.statuses.set(instance.instance_id, status);
  countChange(tx, instance, changes);
  return { hasEnded: ended, toRow };
}

/** The status for waiting clients (effects.F3); `undefined` if the turn does not know all of it, or it is large. */
function statusAfter(
  before: LockedInstance,
  { executionId, metadata, customStatus, startsAtMs }: PreparedTurn,
  { orchestration_name: name, execution_id: currentId, status }: Outcome,
  row: WrittenInstance,
): InstanceStatus | undefined {
  if (name === null || executionId !== currentId) return undefined;
  const isFirst = before.execution_id === 0;
  const hasCustomStatus = isFirst ? customStatus !== undefined : row.custom_status_version !== null;
  // A limit may hold the instance back.
  if (hasCustomStatus || row.limit_key !== null) return undefined;
  const ended = status === "Completed" && metadata.status === status;
  // SQLite stores UTF-8.
  const output = (ended ? metadata.output?.toWellFormed() : null) ?? null;
  if (!(ended || status === "Running") || (output?.length ?? 0) > LARGEST_OUTPUT) return undefined;
  const startMs = isFirst ? startsAtMs : row.starts_at;
  return {
    executionId,
    status,
    output,
    ...(typeof startMs === "number" && { startsAtMs: startMs }),
    customStatus: null,
    customStatusVersion: 0,
  };
}

/** A plain literal, because rows of the database are slow objects. */
function rowAfter(
  before: LockedInstance,
  changes: Outcome | undefined,
  { lastEventId, kvLayers }: { readonly lastEventId: number; readonly kvLayers: number },
): LockedInstance {
  const after = changes ?? before;
  return {
    instance_key: before.instance_key,
    instance_id: before.instance_id,
    orchestration_name: after.orchestration_name,
    orchestration_version: after.orchestration_version,
    execution_id: after.execution_id,
    last_event_id: lastEventId,
    status: after.status,
    completed_at: after.completed_at,
    pinned_version: after.pinned_version,
    kv_layers: kvLayers,
    blocked_since: null,
  };
}

interface WrittenInstance {
  readonly due_at?: number | null;
  /** Set by what may end the instance. */
  readonly limit_key?: string | null;
  readonly starts_at?: number | null;
  /** `null` if the instance never had a custom status. */
  readonly custom_status_version?: number | null;
}

interface InstanceWrite extends InstanceChange {
  readonly lastEventId: number;
  readonly changes: Outcome | undefined;
}

function writeInstance(
  tx: Transaction,
  instance: LockedInstance,
  ack: PreparedTurn,
  { lastEventId, historyTag, kvLayers, keepsDueTime, changes }: InstanceWrite,
): WrittenInstance | undefined {
  const common = [instance.instance_key, lastEventId, historyTag, kvLayers, tx.nowMs] as const;
  if (onlyDiscards(instance.status, ack.events, ack.metadata)) return tx.db.get(DISCARD, ...common);
  if (changes === undefined) return tx.db.get(CONTINUE, ...common);
  const { pinned_version: pin, status, completed_at: completedAtMs } = changes;
  const state = [...common, status, completedAtMs, ack.failureCategory] as const;
  const begins = ack.name !== undefined || changes.execution_id !== instance.execution_id;
  if (!begins && keepsDueTime && pin === instance.pinned_version)
    return tx.db.get(CHANGE_STATUS_UNLOCKED, ...state);
  if (!begins) return tx.db.get(CHANGE_STATUS, ...state, pin);
  return tx.db.get(
    CHANGE,
    ...state,
    pin,
    changes.execution_id,
    changes.orchestration_name,
    changes.orchestration_version,
    instance.orchestration_name === null ? parentOf(ack) : null,
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
  const { orchestration_name, orchestration_version } = ack.name ?? instance;
  const renamed =
    orchestration_name !== instance.orchestration_name ||
    orchestration_version !== instance.orchestration_version;
  const isNew = ack.executionId > instance.execution_id;
  const isOld = ack.executionId < instance.execution_id;
  const ofCurrent = !isOld && (isNew || status !== undefined || pinnedVersion !== undefined);
  if (!renamed && !ofCurrent) return undefined;
  const kept = isNew ? BEGUN : instance;
  const ends = status !== undefined && !isOld;
  return {
    orchestration_name,
    orchestration_version,
    execution_id: Math.max(instance.execution_id, ack.executionId),
    pinned_version: pinnedVersion === undefined || isOld ? kept.pinned_version : toPin(pinnedVersion),
    status: ends ? status : kept.status,
    completed_at: ends ? tx.nowMs : kept.completed_at,
  };
}

const BEGUN = { pinned_version: "", status: "Running", completed_at: null };

/** Counts only instances with a name. */
function countChange(tx: Transaction, before: LockedInstance, after: Outcome): void {
  if (after.orchestration_name === null || after.orchestration_name === SCHEDULE_ORCHESTRATION) return;
  const isNew = before.orchestration_name === null;
  if (isNew) tx.effects.count("instances", 1);
  if (!isNew && before.status === after.status) return;
  const left = isNew ? undefined : totalOf(before.status);
  const entered = totalOf(after.status);
  if (left !== undefined) tx.effects.count(left, -1);
  if (entered !== undefined) tx.effects.count(entered, 1);
}
