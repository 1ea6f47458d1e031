/**
 * Changes an instance by hand (docs/reference/provider-contract.md §15.2). All checks come before the first write. A
 * stored turn ends the lock of the instance, so a commit under that lock is rejected.
 */
import {
  checkRevision,
  type ExpectedState,
  type InstanceRevision,
  type KvEntry,
  ProviderError,
  type RevisionOutcome,
} from "@duroxide-ts/core/stores";
import type { Transaction, WriteOperation } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";
import type { LockedInstance } from "../rows/instance-row.ts";
import { type SuspendedColumns, toSuspendedColumns } from "../rows/suspended.ts";
import { toPreparedTurn } from "../turn/prepared-turn.ts";
import { KV_STORE } from "../turn/store-kv.ts";
import { refuseDuplicates, storeTurn } from "../turn/store-turn.ts";
import { unlockInstance } from "../turn/unlock-instance.ts";

const OPERATION = "reviseInstance";

const COLUMNS = `instance_key, instance_id, orchestration_name, orchestration_version, execution_id,
    last_event_id, status, completed_at, pinned_version, kv_layers, blocked_since, lock_token`;

const FIND = `SELECT ${COLUMNS}
  FROM instances WHERE instance_id = ? AND orchestration_name IS NOT NULL`;

/** The row that may have messages already, without a name. */
const ANCHOR = `INSERT INTO instances (instance_id, created_at, updated_at) VALUES (?1, ?2, ?2)
  ON CONFLICT (instance_id) DO UPDATE SET lock_token = NULL RETURNING ${COLUMNS}`;

const UNBLOCK = "UPDATE instances SET blocked_since = NULL, blocked = NULL WHERE instance_key = ?";

const SUSPEND = `UPDATE instances SET suspended_since = ?2, suspended = ?3, updated_at = ?4
  WHERE instance_key = ?1`;

const EMPTY_KV = [
  "DELETE FROM kv_store WHERE instance_key = ?",
  "DELETE FROM kv_delta WHERE instance_key = ?",
];

const ADD_KV = "INSERT INTO kv_store (instance_key, key, value, last_updated_at) VALUES (?, ?, ?, ?)";

interface FoundInstance extends LockedInstance {
  readonly lock_token: string | null;
}

type Entries = readonly (readonly [key: string, value: string, lastUpdatedAtMs: number])[];

export function reviseInstance(revision: InstanceRevision): WriteOperation<RevisionOutcome> {
  checkRevision(OPERATION, revision);
  const { turn: content, suspended: marker } = revision;
  const id = toText(revision.instanceId);
  const expected = revision.expected === "absent" ? "absent" : { ...revision.expected };
  const turn = content && toPreparedTurn(OPERATION, content);
  const entries = revision.keyValues && toEntries(revision.keyValues);
  const suspended = marker === undefined ? undefined : toSuspendedColumns(marker);
  return (tx) => {
    const named = tx.db.get<FoundInstance>(FIND, id);
    if (expected === "absent" && named !== undefined) return { kind: "overtaken" };
    const found = expected === "absent" ? tx.db.get<FoundInstance>(ANCHOR, id, tx.nowMs) : named;
    if (found === undefined) throw ProviderError.notFound(OPERATION, revision.instanceId);
    if (expected !== "absent" && !isAsExpected(found, expected)) return { kind: "overtaken" };
    if (turn !== undefined) refuseDuplicates(tx, OPERATION, found, turn);
    if (suspended !== undefined) storeSuspended(tx, found, suspended);
    if (turn === undefined) return { kind: "revised" };
    if (found.blocked_since !== null) tx.db.run(UNBLOCK, found.instance_key);
    const instance = entries === undefined ? found : replaceKeyValues(tx, found, entries);
    storeTurn(tx, instance, turn, { historyTag: tx.random.uuid() });
    return { kind: "revised" };
  };
}

function isAsExpected(found: FoundInstance, { executionId, status, lastEventId }: ExpectedState): boolean {
  return (
    Math.max(1, found.execution_id) === executionId &&
    found.status === status &&
    (lastEventId === undefined || found.last_event_id === lastEventId)
  );
}

/** While a turn runs, `due_at` is the end of its lock; the operation that unlocks the instance sets it. */
function storeSuspended(tx: Transaction, found: FoundInstance, columns: SuspendedColumns): void {
  const { instance_key: key, instance_id: id } = found;
  tx.db.run(SUSPEND, key, columns.suspended_since, columns.suspended, tx.nowMs);
  if (columns.suspended_since === null && found.lock_token === null) unlockInstance(tx, key);
  tx.effects.touch(id);
}

function toEntries(keyValues: ReadonlyMap<string, KvEntry>): Entries {
  return [...keyValues].map(([key, { value, lastUpdatedAtMs }]) => [
    toText(key),
    toText(value),
    lastUpdatedAtMs,
  ]);
}

function replaceKeyValues(tx: Transaction, instance: FoundInstance, entries: Entries): LockedInstance {
  const key = instance.instance_key;
  for (const statement of EMPTY_KV) tx.db.run(statement, key);
  for (const entry of entries) tx.db.run(ADD_KV, key, ...entry);
  return { ...instance, kv_layers: entries.length > 0 ? KV_STORE : 0 };
}
