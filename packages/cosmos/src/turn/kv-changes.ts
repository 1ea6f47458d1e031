/**
 * KV in two layers: `kv` is the merged state of finished executions, `kv_delta` what the current one changed, a null
 * being a removal. Ending an execution merges one into the other in the same commit (docs/reference/
 * provider-contract.md §13). Which layers have documents is noted, so that instances without KV never pay for it
 * (hazard W12).
 */
import { saturatedNumber } from "@duroxide-ts/core/stores";
import type { BatchOperation } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { kvDeltaDocumentId, kvDocumentId } from "../schema/ids.ts";
import type { Instance, KvLayers } from "../schema/instance.ts";
import type { Store } from "../store/store.ts";
import type { Turn } from "./turn.ts";

export interface KvChanges {
  readonly operations: readonly BatchOperation[];
  readonly layers: KvLayers;
}

interface Change {
  readonly value: string | null;
  readonly atMs: number;
}

/** What is stored, as far as it matters. */
interface Layers {
  readonly storeKeys: ReadonlySet<string>;
  readonly delta: ReadonlyMap<string, Change>;
}

const NOTHING: Layers = { storeKeys: new Set(), delta: new Map() };

export async function kvChanges(
  store: Store,
  call: Call,
  instance: Instance,
  turn: Turn,
): Promise<KvChanges> {
  const layers = instance.notes.kv ?? { store: true, delta: true };
  const ends = turn.metadata.status !== undefined;
  const mayMerge = ends && (layers.delta || turn.changesKv);
  if (!turn.changesKv && !mayMerge) return { operations: [], layers };
  const clearsAll = turn.events.some(({ event }) => event.type === "KeyValuesCleared");
  const mustRead = (mayMerge || clearsAll) && (layers.store || layers.delta);
  const { instanceId } = instance.document;
  const stored = mustRead ? await readLayers(store, call, instanceId) : NOTHING;
  const nowMs = store.clock.now();
  const delta = applied(stored, turn, nowMs);
  if (ends) {
    const operations = mergeOperations(instanceId, turn.executionId, stored, delta);
    const isEmpty = stored.storeKeys.size === 0 && [...delta.values()].every(({ value }) => value === null);
    return { operations, layers: { store: !isEmpty, delta: false } };
  }
  const changed = [...delta].filter(([key, change]) => stored.delta.get(key) !== change);
  const operations = changed.map(([key, change]) => deltaUpsert(instanceId, turn.executionId, key, change));
  return { operations, layers: { store: layers.store, delta: true } };
}

const BOTH =
  "SELECT c.type, c.key, c['value'], c.lastUpdatedAtMs FROM c WHERE c.type = 'kv' OR c.type = 'kv_delta'";

interface LayerRow {
  readonly type: string;
  readonly key: string;
  readonly value: string | null;
  readonly lastUpdatedAtMs?: number;
}

async function readLayers(store: Store, call: Call, instanceId: string): Promise<Layers> {
  const rows = await store.requests.query<LayerRow>(call, instanceId, { query: BOTH });
  const storeKeys = rows.filter(({ type }) => type === "kv").map(({ key }) => key);
  const delta = rows
    .filter(({ type }) => type === "kv_delta")
    .map(({ key, value, lastUpdatedAtMs = 0 }): [string, Change] => [key, { value, atMs: lastUpdatedAtMs }]);
  return { storeKeys: new Set(storeKeys), delta: new Map(delta) };
}

/** The delta after the events, in their order. */
function applied({ storeKeys, delta }: Layers, { events }: Turn, nowMs: number): ReadonlyMap<string, Change> {
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
