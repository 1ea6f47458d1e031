/**
 * The key-values with which an execution began, from the histories. A store merges those of ended executions, so a
 * repeated execution would begin with the key-values that it has set itself.
 */
import type { KvEntry } from "../contract/provider.ts";
import type { HistoryEvent } from "../wire/event.ts";
import { saturatedNumber } from "../wire/integer.ts";

/** Resolves with the events of an execution; none if it was pruned. */
export type ReadExecution = (executionId: number) => Promise<readonly HistoryEvent[]>;

const NOT_REVISED = { of: undefined, verb: undefined };

/** `undefined` if the history of an earlier execution is gone. */
export async function keyValuesBefore(
  read: ReadExecution,
  executionId: number,
  started: HistoryEvent | undefined,
): Promise<ReadonlyMap<string, KvEntry> | undefined> {
  const { of, verb } =
    started?.type === "OrchestrationStarted" ? (started.revision ?? NOT_REVISED) : NOT_REVISED;
  if ((of === undefined && executionId === 1) || verb === "restart") return new Map();
  const before = of === undefined ? executionId - 1 : Number(of);
  const events = await read(before);
  if (events.length === 0) return undefined;
  const entries = await keyValuesBefore(read, before, events[0]);
  if (entries === undefined || of !== undefined) return entries;
  return applied(entries, events);
}

/** Whether the events change key-values. */
export function changesKeyValues(events: readonly HistoryEvent[]): boolean {
  return events.some(({ type }) => type.startsWith("KeyValue"));
}

function applied(
  before: ReadonlyMap<string, KvEntry>,
  events: readonly HistoryEvent[],
): ReadonlyMap<string, KvEntry> {
  const entries = new Map(before);
  for (const event of events) {
    if (event.type === "KeyValueSet") {
      const lastUpdatedAtMs = saturatedNumber(event.last_updated_at_ms);
      entries.set(event.key, { value: event.value, lastUpdatedAtMs });
    } else if (event.type === "KeyValueCleared") entries.delete(event.key);
    else if (event.type === "KeyValuesCleared") entries.clear();
  }
  return entries;
}
