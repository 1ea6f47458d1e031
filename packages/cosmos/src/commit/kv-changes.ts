/**
 * KV in two layers: `kv` is the merged state of finished executions, `kv_delta` what the current one changed, a null
 * being a removal. Ending an execution merges one into the other in the same commit (docs/reference/
 * provider-contract.md §13). The instance notes which layers have documents, so that instances without KV cost no
 * request (hazard W12).
 */
import { type KvEntry, saturatedNumber } from "@duroxide-ts/core/stores";
import { kvDeltaDocumentId, kvDocumentId } from "../documents/ids.ts";
import type { Instance, KvLayers } from "../documents/instance.ts";
import type { Work } from "../memory/parts.ts";
import type { BatchOperation } from "../service/batch.ts";
import type { PreparedTurn } from "./prepared-turn.ts";

export interface KvChanges {
  readonly operations: readonly BatchOperation[];
  readonly layers: KvLayers;
}

interface Change {
  readonly value: string | null;
  readonly atMs: number;
}

/** The stored values that the changes depend on. */
interface Layers {
  readonly storeKeys: ReadonlySet<string>;
  readonly delta: ReadonlyMap<string, Change>;
}

const NOTHING: Layers = { storeKeys: new Set(), delta: new Map() };

/**
 * A turn that only sets keys writes their documents without reading any. The layers are read in two cases only: where the
 * execution ends, because a removal is merged as a deletion, which needs a document to delete; and where all keys are
 * cleared, because each of them becomes a removal in the delta. Without notes both layers are taken for present.
 */
export async function kvChanges(work: Work, instance: Instance, turn: PreparedTurn): Promise<KvChanges> {
  const layers = instance.notes.kv ?? { store: true, delta: true };
  const ends = turn.metadata.status !== undefined;
  const mayMerge = ends && (layers.delta || turn.changesKv);
  if (!turn.changesKv && !mayMerge) return { operations: [], layers };
  const clearsAll = turn.events.some(({ event }) => event.type === "KeyValuesCleared");
  const mustRead = (mayMerge || clearsAll) && (layers.store || layers.delta);
  const { instanceId } = instance.document;
  const stored = mustRead ? await readLayers(work, instanceId) : NOTHING;
  const nowMs = work.clock.now();
  const delta = applied(stored, turn, nowMs);
  if (ends) {
    const operations = mergeOperations(instanceId, turn.executionId, stored, delta);
    const isEmpty = stored.storeKeys.size === 0 && [...delta.values()].every(({ value }) => value === null);
    return { operations, layers: { store: !isEmpty, delta: false } };
  }
  // A change that the events did not touch is the object that was read.
  const changed = [...delta].filter(([key, change]) => stored.delta.get(key) !== change);
  const operations = changed.map(([key, change]) => deltaUpsert(instanceId, turn.executionId, key, change));
  return { operations, layers: { store: layers.store, delta: true } };
}

/** These replace all stored key-values; the events of the turn are applied after them. */
export async function replacedKeyValues(
  work: Work,
  instance: Instance,
  turn: PreparedTurn,
  keyValues: ReadonlyMap<string, KvEntry>,
): Promise<KvChanges> {
  const { instanceId } = instance.document;
  const executionId = saturatedNumber(instance.document.currentExecutionId);
  const stored = await readLayers(work, instanceId);
  const before: Layers = { storeKeys: new Set(keyValues.keys()), delta: new Map() };
  const delta = applied(before, turn, work.clock.now());
  const gone = [...stored.storeKeys]
    .filter((key) => !keyValues.has(key))
    .map((key) => kvDocumentId(instanceId, key));
  const goneDelta = [...stored.delta.keys()]
    .filter((key) => !delta.has(key))
    .map((key) => kvDeltaDocumentId(instanceId, key));
  const operations: readonly BatchOperation[] = [
    ...[...gone, ...goneDelta].map((id): BatchOperation => ({ kind: "delete", id })),
    ...[...keyValues].map(([key, entry]) => storeUpsert(instanceId, executionId, key, entry)),
    ...[...delta].map(([key, change]) => deltaUpsert(instanceId, turn.executionId, key, change)),
  ];
  return { operations, layers: { store: keyValues.size > 0, delta: delta.size > 0 } };
}

function storeUpsert(
  instanceId: string,
  executionId: number,
  key: string,
  { value, lastUpdatedAtMs }: KvEntry,
): BatchOperation {
  const id = kvDocumentId(instanceId, key);
  return { kind: "upsert", body: { id, instanceId, type: "kv", key, value, executionId, lastUpdatedAtMs } };
}

const BOTH =
  "SELECT c.type, c.key, c['value'], c.lastUpdatedAtMs FROM c WHERE c.type = 'kv' OR c.type = 'kv_delta'";

interface LayerRow {
  readonly type: string;
  readonly key: string;
  readonly value: string | null;
  readonly lastUpdatedAtMs?: number;
}

async function readLayers(work: Work, instanceId: string): Promise<Layers> {
  const rows = await work.query<LayerRow>(instanceId, BOTH);
  const storeKeys = rows.filter(({ type }) => type === "kv").map(({ key }) => key);
  const delta = rows
    .filter(({ type }) => type === "kv_delta")
    .map(({ key, value, lastUpdatedAtMs = 0 }): [string, Change] => [key, { value, atMs: lastUpdatedAtMs }]);
  return { storeKeys: new Set(storeKeys), delta: new Map(delta) };
}

/** The delta after the events, in their order. */
function applied(
  { storeKeys, delta }: Layers,
  { events }: PreparedTurn,
  nowMs: number,
): ReadonlyMap<string, Change> {
  const changes = new Map(delta);
  const removed: Change = { value: null, atMs: nowMs };
  for (const { event } of events) {
    if (event.type === "KeyValueSet") {
      changes.set(event.key, { value: event.value, atMs: saturatedNumber(event.last_updated_at_ms) });
    } else if (event.type === "KeyValueCleared") {
      changes.set(event.key, removed);
    } else if (event.type === "KeyValuesCleared") {
      for (const key of [...changes.keys(), ...storeKeys]) changes.set(key, removed);
    }
  }
  return changes;
}

/** Every document of the delta is deleted. A removal of a key that the store does not have needs no operation. */
function mergeOperations(
  instanceId: string,
  executionId: number,
  stored: Layers,
  delta: ReadonlyMap<string, Change>,
): BatchOperation[] {
  const merged = [...delta].flatMap(([key, { value, atMs }]): BatchOperation[] => {
    const id = kvDocumentId(instanceId, key);
    if (value === null) return stored.storeKeys.has(key) ? [{ kind: "delete", id }] : [];
    const body = { id, instanceId, type: "kv", key, value, executionId, lastUpdatedAtMs: atMs };
    return [{ kind: "upsert", body }];
  });
  const emptied = [...stored.delta.keys()].map(
    (key): BatchOperation => ({ kind: "delete", id: kvDeltaDocumentId(instanceId, key) }),
  );
  return [...merged, ...emptied];
}

function deltaUpsert(
  instanceId: string,
  executionId: number,
  key: string,
  { value, atMs }: Change,
): BatchOperation {
  const id = kvDeltaDocumentId(instanceId, key);
  const body = { id, instanceId, type: "kv_delta", key, value, executionId, lastUpdatedAtMs: atMs };
  return { kind: "upsert", body };
}
