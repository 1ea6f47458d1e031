/** Adds events to a history, in a turn or outside turns (docs/reference/provider-contract.md §9). */
import { ProviderError } from "../../../contract/provider-error.ts";
import { toPositiveId } from "../../../stores/arguments.ts";
import type { HistoryEvent } from "../../../wire/event.ts";
import { type EventEntry, toEventEntries } from "../codec.ts";
import { ensureExecution, type Store } from "../store.ts";

const OPERATION = "appendHistory";

export function appendHistory(
  store: Store,
  instanceId: string,
  executionId: number,
  events: readonly HistoryEvent[],
): void {
  const execution = toPositiveId(OPERATION, "executionId", executionId);
  const entries = toEventEntries(OPERATION, events);
  refuseDuplicates(store, OPERATION, instanceId, execution, entries);
  addEvents(store, instanceId, execution, entries, store.clock.now());
  // A new tag, so that no runtime continues with a copy of the history that lacks these events.
  store.historyTags.set(instanceId, store.random.uuid());
}

/** Rejects an event id that exists, also within one list, because events are never replaced. */
export function refuseDuplicates(
  store: Store,
  operation: string,
  instanceId: string,
  executionId: number,
  events: readonly EventEntry[],
): void {
  const taken = new Set(store.executions.get(instanceId)?.get(executionId)?.events.keys());
  for (const [eventId] of events) {
    if (taken.has(eventId)) throw ProviderError.duplicateEvent(operation, executionId, eventId);
    taken.add(eventId);
  }
}

export function addEvents(
  store: Store,
  instanceId: string,
  executionId: number,
  events: readonly EventEntry[],
  nowMs: number,
): void {
  const stored = ensureExecution(store, instanceId, executionId, nowMs).events;
  for (const [eventId, text] of events) stored.set(eventId, text);
}
