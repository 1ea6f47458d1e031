/** Between events and work items and the texts that are stored. */
import {
  decodeEvent,
  decodeWorkItem,
  encodeEvent,
  encodeWorkItem,
  type HistoryEvent,
  ProviderError,
  WireError,
  type WorkItem,
} from "@duroxide-ts/core";
import { invalidInput, requireCount } from "./input.ts";

/** The texts of new events by their ids. Refuses ids below 1, and those that are stored already or occur twice. */
export function newEvents(
  operation: string,
  executionId: number,
  stored: ReadonlyMap<number, string>,
  events: readonly HistoryEvent[],
): ReadonlyMap<number, string> {
  const texts = new Map<number, string>();
  for (const event of events) {
    const id = Number(event.event_id);
    requireCount(operation, "an event id", id, 1);
    if (stored.has(id) || texts.has(id)) throw ProviderError.duplicateEvent(operation, executionId, id);
    const text = encoded(operation, () => encodeEvent(event));
    texts.set(id, text);
  }
  return texts;
}

/** Ascending by id. Throws a WireError rather than leave one out. */
export function decodeEvents(texts: ReadonlyMap<number, string>): HistoryEvent[] {
  return [...texts].sort(([a], [b]) => a - b).map(([, text]) => decodeEvent(text));
}

export function workItemText(operation: string, item: WorkItem): string {
  return encoded(operation, () => encodeWorkItem(item));
}

/** `undefined` where the text is no work item. */
export function readWorkItem(text: string): WorkItem | undefined {
  try {
    return decodeWorkItem(text);
  } catch (error) {
    if (WireError.is(error)) return undefined;
    throw error;
  }
}

function encoded(operation: string, encode: () => string): string {
  try {
    return encode();
  } catch (error) {
    throw invalidInput(operation, error instanceof Error ? error.message : String(error));
  }
}
