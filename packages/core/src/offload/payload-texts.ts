/** The payload texts of events and messages: where they stand is the same for both. */
import type { CarriedMessage } from "../wire/event.ts";

/** Names of fields that hold a payload in an event, a message or a commit's metadata, and nothing else elsewhere. */
const FIELDS = [
  "input",
  "output",
  "result",
  "data",
  "status",
  "customStatus",
  "value",
  "initial_custom_status",
] as const;

interface Carrying {
  readonly carry_forward_events?: readonly CarriedMessage[];
}

/** Adds the texts of the record that `matches` picks. */
export function collectTexts(record: object, matches: (text: string) => boolean, found: Set<string>): void {
  for (const field of FIELDS) {
    const text = (record as Readonly<Record<string, unknown>>)[field];
    if (typeof text === "string" && matches(text)) found.add(text);
  }
  for (const [, data] of (record as Carrying).carry_forward_events ?? []) {
    if (matches(data)) found.add(data);
  }
}

/** The record with other texts; itself where none of its texts is replaced. */
export function replaceTexts<T extends object>(record: T, texts: ReadonlyMap<string, string>): T {
  const changes: Record<string, unknown> = {};
  for (const field of FIELDS) {
    const text = (record as Readonly<Record<string, unknown>>)[field];
    const other = typeof text === "string" ? texts.get(text) : undefined;
    if (other !== undefined) changes[field] = other;
  }
  const carried = (record as Carrying).carry_forward_events;
  if (carried?.some(([, data]) => texts.has(data))) {
    changes["carry_forward_events"] = carried.map(([name, data]) => [name, texts.get(data) ?? data]);
  }
  return Object.keys(changes).length === 0 ? record : { ...record, ...changes };
}
