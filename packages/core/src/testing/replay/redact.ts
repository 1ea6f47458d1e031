/**
 * Replaces the payload texts of a history. Ids, names, keys, tags, times and versions are kept, and so are the results
 * of system calls (a new id, the time), because the code may depend on them.
 */
import { SYSTEM_CALL_PREFIX } from "../../define/definitions.ts";
import { GET_KV_VALUE } from "../../replay/calls/system-calls.ts";
import { isPayloadField } from "../../stores/payload-path.ts";
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
  /** `input`, `result`, `output`, `data`, `value`, `status`, `reason`; for a failure `message`, `data` and the like. */
  readonly field: string;
  /** The name of the orchestration, activity, event, queue or key; absent if there is none. */
  readonly name?: string;
}

/** Redacts the events of one execution. */
export function redactEvents(events: readonly HistoryEvent[], redact: Redact): readonly HistoryEvent[] {
  const byId = new Map(events.map((event) => [Number(event.event_id), event]));
  const started = events.find(({ type }) => type === "OrchestrationStarted");
  return events.map((event) => {
    const named = event.source_event_id === null ? event : byId.get(Number(event.source_event_id));
    const name = nameOf(named) ?? (event.type.startsWith("Orchestration") ? nameOf(started) : undefined);
    return redactEvent(event, name, (field, text) =>
      redact(text, { event: event.type, field, ...(name !== undefined && { name }) }),
    );
  });
}

type RedactField = (field: string, text: string) => string;

function redactEvent(event: HistoryEvent, name: string | undefined, redact: RedactField): HistoryEvent {
  if (name?.startsWith(SYSTEM_CALL_PREFIX)) return redactSystemCall(event, name, redact);
  const fields = Object.entries(event).map(([field, value]): [string, unknown] => {
    if (field === "details") return [field, redactDetails(value as ErrorDetails, redact)];
    if (field === "carry_forward_events") return [field, redactCarried(value, redact)];
    const isText = isPayloadField(field) || field === "reason";
    return [field, isText && typeof value === "string" ? redact(field, value) : value];
  });
  return Object.fromEntries(fields) as unknown as HistoryEvent;
}

/** Redacts an entry of another instance, which is a payload within the JSON of a system call's result. */
function redactSystemCall(event: HistoryEvent, name: string, redact: RedactField): HistoryEvent {
  if (name !== GET_KV_VALUE || event.type !== "ActivityCompleted") return event;
  const value: unknown = JSON.parse(event.result);
  return typeof value === "string" ? { ...event, result: JSON.stringify(redact("result", value)) } : event;
}

function redactCarried(carried: unknown, redact: RedactField): unknown {
  return (carried as readonly (readonly [string, string])[]).map(([queue, data]) => [
    queue,
    redact("data", data),
  ]);
}

const FAILURE_TEXTS: ReadonlySet<string> = new Set(["message", "data", "last_error", "reason", "error"]);

/** Removes stacks, because they may begin with the error's message, and replay does not need them. */
function redactDetails(value: unknown, redact: RedactField): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown) => redactDetails(inner, redact));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value)
    .filter(([field]) => field !== "stack")
    .map(([field, inner]: [string, unknown]) => [
      field,
      FAILURE_TEXTS.has(field) && typeof inner === "string"
        ? redact(field, inner)
        : redactDetails(inner, redact),
    ]);
  return Object.fromEntries(fields) as unknown;
}

function nameOf(event: HistoryEvent | undefined): string | undefined {
  if (event === undefined) return undefined;
  if ("name" in event) return event.name;
  return "key" in event ? event.key : undefined;
}
