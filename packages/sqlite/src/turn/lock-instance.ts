/**
 * Locks one due instance: tags and counts its visible messages, loads history and KV, takes the lock. A batch whose
 * orchestration is unknown is released and not locked.
 *
 * A turn may begin before the commit only if a turn that kills the process cannot repeat without a counted attempt,
 * because the count is lost with the transaction. This holds if the caller has the history in memory, which it does not
 * after a restart, or if clients sent the messages in this transaction, because then the messages are lost too.
 */
import {
  decodeEvents,
  type FetchedOrchestration,
  type FetchOrchestrationOptions,
  hasEnded,
  hasOrchestration,
  type KvEntry,
  later,
  messageOf,
  missingOrchestration,
  type OrchestrationItem,
  type OrchestrationName,
  type OrchestratorItem,
  orchestrationOf,
  startIn,
} from "@duroxide-ts/core/stores";
import type { EarlyTurns } from "../commit/early-turns.ts";
import type { Transaction } from "../commit/transaction.ts";
import type { Served } from "../fetching/fetch-source.ts";
import { toBlocked } from "../rows/blocked.ts";
import { fromText, toText } from "../rows/codec.ts";
import type { LockedInstance } from "../rows/instance-row.ts";
import { HEAD_START_MS } from "../rows/left-work.ts";
import { formatLockToken } from "../rows/lock-token.ts";
import { restartEnded } from "../storing/held-start.ts";
import { type Batch, releaseStrayBatch, tagRows, takeBatch } from "./batch.ts";
import { KV_STORE } from "./store-kv.ts";
import { unlockInstance } from "./unlock-instance.ts";

export interface DueInstance extends LockedInstance {
  readonly history_tag: string | null;
  readonly due_at: number;
  /** How often in a row the messages were released because their orchestration was unknown. */
  readonly context_misses: number;
  /** JSON. */
  readonly blocked: string | null;
  readonly suspended_since: number | null;
  /** The orchestration that an earlier fetch had no code for (rows/left-work.ts). */
  readonly left_to: string | null;
}

const LOCK = "UPDATE instances SET lock_token = ?, due_at = ? WHERE instance_key = ?";

/** Ends an expired lock too. New messages make it due again, and the next search finds it suspended. */
const REST = "UPDATE instances SET lock_token = NULL, due_at = NULL WHERE instance_key = ?";

/** Ends an expired lock too. */
const LEAVE = "UPDATE instances SET left_to = ?, due_at = ?, lock_token = NULL WHERE instance_key = ?";

const END_LEAVING = "UPDATE instances SET left_to = NULL WHERE instance_key = ?";

const EVENTS = "SELECT event FROM history WHERE instance_key = ? AND execution_id = ? ORDER BY event_id";

const KV = "SELECT key, value, last_updated_at FROM kv_store WHERE instance_key = ?";

type Stored = Pick<OrchestrationItem, "history" | "historyError" | "kvSnapshot" | "historyOmitted">;

const NOTHING_STORED: Stored = { history: [], kvSnapshot: new Map() };

/** `undefined` if it is suspended or has no messages to process; it is then not due any more. */
export function lockInstance(
  tx: Transaction,
  instance: DueInstance,
  request: FetchOrchestrationOptions,
  earlyTurns: EarlyTurns,
): Served<FetchedOrchestration> | undefined {
  tx.effects.dueInstances.delete(instance.instance_id);
  // Left by an earlier fetch to fetches with the code: this one ends it (left-work.N2), or takes the instance to block
  // it (left-work.N3).
  const isForOthers = instance.left_to !== null && !hasOrchestration(request, fromText(instance.left_to));
  if (instance.left_to !== null && !isForOthers) tx.db.run(END_LEAVING, instance.instance_key);
  if (instance.suspended_since !== null) {
    tx.effects.queue.write(tx.db, instance.instance_key);
    tx.db.run(REST, instance.instance_key);
    return undefined;
  }
  const batch = takeBatch(tx, instance);
  if (batch.messages.length === 0) {
    unlockInstance(tx, instance.instance_key);
    return undefined;
  }
  if (hasEnded(instance.status) && restartEnded(tx, instance, batch.messages)) return undefined;
  const stored = loadStored(tx, instance, request);
  if (isStray(instance, stored, batch.messages)) {
    releaseStrayBatch(tx, instance, batch);
    return undefined;
  }
  if (!isForOthers && leaves(tx, instance, request, stored, batch)) return undefined;
  const lockedUntilMs = later(tx.nowMs, request.lockTimeoutMs);
  const item = toItem(instance, stored, batch);
  const lockToken = formatLockToken(batch.token);
  const mayBegin = stored.historyOmitted === true || batch.cameJustNow;
  const early = earlyTurns.served(lockToken, item.orchestrationName, instance.last_event_id) && mayBegin;
  if (early && !batch.tagged && lockedUntilMs > tx.nowMs) tx.effects.queue.hold({ instance, ...batch });
  else tagRows(tx, batch);
  tx.db.run(LOCK, batch.token.secret, lockedUntilMs, instance.instance_key);
  tx.effects.orchestrations.add(lockedUntilMs);
  const result = {
    item,
    lockToken,
    attemptCount: batch.attemptCount,
    lockedUntilMs,
    ...(batch.loneRuns > 0 && { loneRuns: batch.loneRuns }),
    ...(instance.blocked !== null && {
      blocked: toBlocked(fromText(instance.instance_id), instance.blocked),
    }),
  };
  return { result, early };
}

function toItem(instance: DueInstance, stored: Stored, { messages }: Batch): OrchestrationItem {
  const { name, version } = orchestrationOf(knownName(instance), stored.history, messages);
  return {
    instanceId: fromText(instance.instance_id),
    orchestrationName: name,
    version,
    executionId: Math.max(1, instance.execution_id),
    messages,
    ...stored,
  };
}

function loadStored(tx: Transaction, instance: DueInstance, request: FetchOrchestrationOptions): Stored {
  if (instance.execution_id === 0) return NOTHING_STORED;
  if (instance.history_tag !== null && instance.orchestration_name !== null) {
    const held = request.heldHistory?.(fromText(instance.instance_id));
    if (held === instance.history_tag) return { ...NOTHING_STORED, historyOmitted: true };
  }
  return { ...loadHistory(tx, instance), kvSnapshot: loadKv(tx, instance) };
}

function loadHistory(
  tx: Transaction,
  instance: DueInstance,
): Pick<OrchestrationItem, "history" | "historyError"> {
  const rows = tx.db.all<{ event: string }>(EVENTS, instance.instance_key, instance.execution_id);
  try {
    return { history: rows.flatMap(({ event }) => decodeEvents(event)) };
  } catch (error) {
    return { history: [], historyError: messageOf(error) };
  }
}

function loadKv(tx: Transaction, instance: DueInstance): ReadonlyMap<string, KvEntry> {
  if ((instance.kv_layers & KV_STORE) === 0) return NOTHING_STORED.kvSnapshot;
  const rows = tx.db.all<{ key: string; value: string; last_updated_at: number }>(KV, instance.instance_key);
  return new Map(
    rows.map((row) => [
      fromText(row.key),
      { value: fromText(row.value), lastUpdatedAtMs: row.last_updated_at },
    ]),
  );
}

/** left-work.N1. A batch whose rows are tagged already is not left: it was blocked before, or is one of many. */
function leaves(
  tx: Transaction,
  instance: DueInstance,
  request: FetchOrchestrationOptions,
  { history }: Stored,
  { messages, tagged }: Batch,
): boolean {
  if (tagged) return false;
  const orchestration = knownName(instance) ?? nameIn(history);
  const named = { orchestration, hasEnded: hasEnded(instance.status) };
  const missing = missingOrchestration(request, named, messages);
  if (missing === undefined) return false;
  const untilMs = later(tx.nowMs, HEAD_START_MS);
  tx.effects.queue.write(tx.db, instance.instance_key);
  tx.db.run(LEAVE, toText(missing), untilMs, instance.instance_key);
  tx.effects.orchestrations.add(tx.nowMs);
  tx.effects.orchestrations.add(untilMs);
  return true;
}

/** Whether the orchestration is unknown. A history that cannot be read counts as known. */
function isStray(instance: DueInstance, stored: Stored, messages: readonly OrchestratorItem[]): boolean {
  if (instance.orchestration_name !== null || stored.history.length > 0) return false;
  return stored.historyError === undefined && startIn(messages) === undefined;
}

function nameIn([first]: OrchestrationItem["history"]): OrchestrationName | undefined {
  return first?.type === "OrchestrationStarted" ? first : undefined;
}

/** `undefined` before a turn has named the instance. */
function knownName(instance: DueInstance): OrchestrationName | undefined {
  if (instance.orchestration_name === null) return undefined;
  const version = instance.orchestration_version ?? "unknown";
  return { name: fromText(instance.orchestration_name), version: fromText(version) };
}
