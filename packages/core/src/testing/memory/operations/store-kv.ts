/**
 * KV in two layers (docs/reference/provider-contract.md §13): a turn changes only the upper layer. The end of an
 * execution merges it into the lower layer, with which the next execution begins.
 */
import type { HistoryEvent } from "../../../wire/event.ts";
import { saturatedNumber } from "../../../wire/integer.ts";
import type { KvLayers, Store } from "../store.ts";

export function storeKv(
  store: Store,
  instanceId: string,
  historyDelta: readonly HistoryEvent[],
  executionEnds: boolean,
  nowMs: number,
): void {
  const layers = store.kv.get(instanceId) ?? { finished: new Map(), current: new Map() };
  store.kv.set(instanceId, layers);
  for (const event of historyDelta) apply(layers, event, nowMs);
  if (executionEnds) merge(layers);
}

function apply({ finished, current }: KvLayers, event: HistoryEvent, nowMs: number): void {
  const tombstone = { value: null, lastUpdatedAtMs: nowMs };
  if (event.type === "KeyValueSet") {
    const lastUpdatedAtMs = saturatedNumber(event.last_updated_at_ms);
    current.set(event.key, { value: event.value, lastUpdatedAtMs });
  } else if (event.type === "KeyValueCleared") {
    current.set(event.key, tombstone);
  } else if (event.type === "KeyValuesCleared") {
    for (const key of [...current.keys(), ...finished.keys()]) current.set(key, tombstone);
  }
}

function merge({ finished, current }: KvLayers): void {
  for (const [key, { value, lastUpdatedAtMs }] of current) {
    if (value === null) finished.delete(key);
    else finished.set(key, { value, lastUpdatedAtMs });
  }
  current.clear();
}

/** Both layers merged, for clients. */
export function mergedKv(store: Store, instanceId: string): Map<string, string> {
  const { finished = new Map(), current = new Map() } = store.kv.get(instanceId) ?? {};
  const merged = new Map<string, string>([...finished].map(([key, { value }]) => [key, value]));
  for (const [key, { value }] of current) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return merged;
}
