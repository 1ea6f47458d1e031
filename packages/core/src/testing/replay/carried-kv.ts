/** The KV at the end of an execution, rebuilt from its history, for the replay of the next. */
import type { KvEntry } from "../../contract/provider.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import { saturatedNumber } from "../../wire/integer.ts";

export function carryKv(
  before: ReadonlyMap<string, KvEntry>,
  events: readonly HistoryEvent[],
): ReadonlyMap<string, KvEntry> {
  const entries = new Map(before);
  for (const event of events) {
    if (event.type === "KeyValuesCleared") entries.clear();
    else if (event.type === "KeyValueCleared") entries.delete(event.key);
    else if (event.type === "KeyValueSet") {
      const lastUpdatedAtMs = saturatedNumber(event.last_updated_at_ms);
      entries.set(event.key, { value: event.value, lastUpdatedAtMs });
    }
  }
  return entries;
}
