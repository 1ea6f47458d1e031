/** Key-value entries in two layers: those of finished executions, and the changes of the current one (§13). */
import { type HistoryEvent, type KvEntry, saturatedNumber } from "@duroxide-ts/core";
import type { KeyValues, Moment } from "../tables.ts";

export function applyKeyValues({ tables }: Moment, instanceId: string, delta: readonly HistoryEvent[]): void {
  const { settled, changed } = tables.keyValues.get(instanceId) ?? { settled: new Map(), changed: new Map() };
  for (const event of delta) {
    if (event.type === "KeyValueSet") {
      const lastUpdatedAtMs = saturatedNumber(event.last_updated_at_ms);
      changed.set(event.key, { value: event.value, lastUpdatedAtMs });
    } else if (event.type === "KeyValueCleared") {
      changed.set(event.key, undefined);
    } else if (event.type === "KeyValuesCleared") {
      for (const key of [...settled.keys(), ...changed.keys()]) changed.set(key, undefined);
    }
  }
  tables.keyValues.set(instanceId, { settled, changed });
}

/** When an execution ends, its changes become what the next one begins with. */
export function settleKeyValues({ tables }: Moment, instanceId: string): void {
  const settled = liveEntries(tables.keyValues.get(instanceId));
  tables.keyValues.set(instanceId, { settled, changed: new Map() });
}

/** What clients see: both layers in one. */
export function liveEntries(layers: KeyValues | undefined): Map<string, KvEntry> {
  const live = new Map(layers?.settled);
  for (const [key, entry] of layers?.changed ?? []) {
    if (entry === undefined) live.delete(key);
    else live.set(key, entry);
  }
  return live;
}

export function getKvAllValues({ tables }: Moment, instanceId: string): ReadonlyMap<string, string> {
  const live = liveEntries(tables.keyValues.get(instanceId));
  return new Map([...live].map(([key, { value }]) => [key, value]));
}
