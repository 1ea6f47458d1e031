/**
 * Ends activities together with the turn that they cause (docs/reference/provider-contract.md §10.2). The turn holds no
 * lock, so the stored state of the instance decides whether it may be committed. All checks come before the first
 * write.
 */
import { checkFusedAck, type FusedAck, type FusedOutcome, ProviderError } from "@duroxide-ts/core/stores";
import type { KnownInstances } from "../commit/known-instances.ts";
import type { Transaction, WriteOperation } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";
import type { LockedInstance } from "../rows/instance-row.ts";
import { parseLockToken } from "../rows/lock-token.ts";
import { endActivities } from "../storing/end-activity.ts";
import { type PreparedTurn, toPreparedTurn } from "../turn/prepared-turn.ts";
import { refuseDuplicates, storeTurn } from "../turn/store-turn.ts";

const OPERATION = "ackFusedTurn";

/**
 * An instance with the tag, no lock and no due message. `due_at` reflects locks and messages at once. An instance that a
 * fetch left to others has a message, and is due later.
 */
const IS_UNCHANGED = `history_tag = ? AND lock_token IS NULL AND blocked_since IS NULL AND left_to IS NULL
    AND suspended_since IS NULL AND orchestration_name IS NOT NULL AND (due_at IS NULL OR due_at > ?)`;

const FIND_UNCHANGED = `SELECT instance_key, instance_id, orchestration_name, orchestration_version,
    execution_id, last_event_id, status, completed_at, pinned_version, kv_layers, blocked_since
  FROM instances WHERE instance_id = ? AND ${IS_UNCHANGED}`;

/** Takes a third of the time, because it reads no column. */
const STANDS = `SELECT 1 FROM instances WHERE instance_key = ? AND ${IS_UNCHANGED}`;

const OVERTAKEN: FusedOutcome = { kind: "overtaken" };

export function ackFusedTurn(ack: FusedAck, known: KnownInstances): WriteOperation<FusedOutcome> {
  checkFusedAck(OPERATION, ack);
  const tokens = ack.activityTokens.map((token) => parseLockToken(OPERATION, token));
  const turn = toPreparedTurn(OPERATION, ack);
  const instanceId = toText(ack.instanceId);
  const { historyTag } = ack;
  return (tx) => {
    const instance = findUnchanged(tx, known, instanceId, historyTag);
    if (instance === undefined) return OVERTAKEN;
    refuseDuplicates(tx, OPERATION, instance, turn);
    if (!endActivities(tx, tokens, instance.instance_key)) throw ProviderError.lockLost(OPERATION);
    const newTag = tx.random.uuid();
    const keepsDueTime = !changesOwnQueue(turn, instanceId);
    storeTurn(tx, instance, turn, { historyTag: newTag, known, keepsDueTime });
    return { kind: "committed", historyTag: newTag };
  };
}

/** known-instances.KI1 */
function findUnchanged(
  { db, nowMs }: Transaction,
  instances: KnownInstances,
  instanceId: string,
  historyTag: string,
): LockedInstance | undefined {
  const known = instances.find(instanceId, historyTag);
  if (known === undefined) return db.get<LockedInstance>(FIND_UNCHANGED, instanceId, historyTag, nowMs);
  return db.get(STANDS, known.instance_key, historyTag, nowMs) === undefined ? undefined : known;
}

/** Before the turn no message is visible, so only its own messages and drops can change when the instance is due. */
function changesOwnQueue({ messages, returned, droppedTimers }: PreparedTurn, instanceId: string): boolean {
  if (returned.length > 0 || droppedTimers.length > 0) return true;
  return messages.some((message) => message.instanceId === instanceId);
}
