/** The payload texts of events and messages; both have them in the same fields. */
import type { CarriedMessage } from "../wire/event.ts";

/** Names of the fields with payloads in events, messages and metadata of commits; no other field has these names. */
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

/** Adds the texts of the record for which `matches` is true. */
export function collectTexts(record: object, matches: (text: string) => boolean, found: Set<string>): void {
  for (const field of FIELDS) {
    const text = (record as Readonly<Record<string, unknown>>)[field];
    if (typeof text === "string" && matches(text)) found.add(text);
  }
  for (const [, data] of (record as Carrying).carry_forward_events ?? []) {
    if (matches(data)) found.add(data);
  }
}

/** A copy of the record with the replaced texts; the record itself if no text is replaced. */
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
