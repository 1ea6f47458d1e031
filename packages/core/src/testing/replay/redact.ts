/** The redaction of exported histories: their texts, one by one. */
import { replaceEventTexts, type TextPlace } from "../../redaction/event-texts.ts";
import type { ErrorDetails } from "../../wire/error-details.ts";
import type { EventType, HistoryEvent } from "../../wire/event.ts";

/**
 * Returns the replacement of `text` in the exported history. Called for every occurrence; the same text must get the
 * same replacement, because `replay` compares inputs and outputs.
 */
export type Redact = (text: string, place: PayloadPlace) => string;

/** The place of a payload text. */
export interface PayloadPlace {
  readonly event: EventType;
  /** `input`, `result`, `output`, `data`, `value`, `status`, `reason`, `misfit`; for a failure `message`, `data` and the like. */
  readonly field: string;
  /** The name of the orchestration, activity, event, queue or key; absent if there is none. */
  readonly name?: string;
}

/** Redacts the events of one execution. */
export function redactEvents(events: readonly HistoryEvent[], redact: Redact): readonly HistoryEvent[] {
  const replaced = (text: string, { event, field, name }: TextPlace): string =>
    redact(text, { event: event.type, field, ...(name !== undefined && { name }) });
  return replaceEventTexts(events, {
    payload: (text, _path, place) => replaced(text, place),
    reason: replaced,
    details: (details, place) =>
      redactDetails(details, (field, text) => replaced(text, { ...place, field })) as ErrorDetails,
  });
}

const FAILURE_TEXTS: ReadonlySet<string> = new Set(["message", "data", "last_error", "reason", "error"]);

/** Removes stacks, because they may begin with the error's message, and replay does not need them. */
function redactDetails(value: unknown, replaced: (field: string, text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown) => redactDetails(inner, replaced));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value)
    .filter(([field]) => field !== "stack")
    .map(([field, inner]: [string, unknown]) => [
      field,
      FAILURE_TEXTS.has(field) && typeof inner === "string"
        ? replaced(field, inner)
        : redactDetails(inner, replaced),
    ]);
  return Object.fromEntries(fields) as unknown;
}
