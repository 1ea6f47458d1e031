/**
 * Replaces the texts of a history that come from users: payloads, reasons, failures. Ids, names, labels, keys, tags, times
 * and versions are kept, and so are the results of system calls (a new id, the time), because the code may depend on
 * them.
 */
import { SYSTEM_CALL_PREFIX } from "../define/definitions.ts";
import { GET_KV_VALUE } from "../replay/calls/system-calls.ts";
import type { ErrorDetails } from "../wire/error-details.ts";
import type { CarriedMessage, EventOf, HistoryEvent, RevisionMark, SetAside } from "../wire/event.ts";
import { wholeInputs } from "../wire/shared-inputs.ts";
import { isPayloadField, MESSAGE, payloadPath } from "./payload-path.ts";

/** The place of a text. */
export interface TextPlace {
  readonly event: HistoryEvent;
  readonly field: string;
  /** Name of the orchestration, activity, event, queue or key. */
  readonly name: string | undefined;
}

/** The texts that replace those of events. */
export interface EventTexts {
  /** A text of the codec, and its path for `redact`. */
  payload(text: string, path: string, place: TextPlace): string;
  /** The reason of a cancellation or of a change by hand. */
  reason(text: string, place: TextPlace): string;
  details(details: ErrorDetails, place: TextPlace): ErrorDetails;
}

/** The events of one execution. */
export function replaceEventTexts(
  stored: readonly HistoryEvent[],
  texts: EventTexts,
): readonly HistoryEvent[] {
  const events = wholeInputs(stored);
  const byId = new Map(events.map((event) => [Number(event.event_id), event]));
  const started = events.find(({ type }) => type === "OrchestrationStarted");
  return events.map((event) => {
    const named = event.source_event_id === null ? event : byId.get(Number(event.source_event_id));
    const name = nameOf(named) ?? (event.type.startsWith("Orchestration") ? nameOf(started) : undefined);
    return replaceTexts(event, name, texts);
  });
}

function replaceTexts(event: HistoryEvent, name: string | undefined, texts: EventTexts): HistoryEvent {
  const isSystem = name?.startsWith(SYSTEM_CALL_PREFIX) === true;
  if (isSystem && event.type === "ActivityCompleted") return ofSystemCall(event, name, texts);
  const fields = Object.entries(event).map(([field, value]: [string, unknown]): [string, unknown] => {
    const place = { event, field, name };
    if (field === "details") return [field, texts.details(value as ErrorDetails, place)];
    if (field === "carry_forward_events") return [field, carried(value as readonly CarriedMessage[])];
    if (field === "set_aside") return [field, setAside(value as readonly SetAside[])];
    if (field === "revision") return [field, revision(value as RevisionMark)];
    if (typeof value !== "string") return [field, value];
    if (field === "reason") return [field, texts.reason(value, place)];
    const isPayload = isPayloadField(field) && !isSystem;
    return [field, isPayload ? texts.payload(value, payloadPath(event, field), place) : value];
  });
  return Object.fromEntries(fields) as unknown as HistoryEvent;

  function carried(messages: readonly CarriedMessage[]): readonly CarriedMessage[] {
    return messages.map(([queue, data]) => [
      queue,
      texts.payload(data, `queue.${queue}`, { event, field: "data", name }),
    ]);
  }

  /** It may quote the message, as messages of errors do. */
  function setAside(verdicts: readonly SetAside[]): readonly SetAside[] {
    const place = { event, field: "misfit", name };
    return verdicts.map((it) => ({ ...it, misfit: texts.payload(it.misfit, MESSAGE, place) }));
  }

  function revision({ reason, ...mark }: RevisionMark): RevisionMark {
    if (reason === undefined) return mark;
    return { ...mark, reason: texts.reason(reason, { event, field: "reason", name }) };
  }
}

/** An entry of another instance is a payload within the JSON of a result. */
function ofSystemCall(
  event: EventOf<"ActivityCompleted">,
  name: string,
  texts: EventTexts,
): EventOf<"ActivityCompleted"> {
  if (name !== GET_KV_VALUE) return event;
  const entry = textIn(event.result);
  if (entry === undefined) return event;
  const result = JSON.stringify(texts.payload(entry, "result", { event, field: "result", name }));
  return { ...event, result };
}

/** `undefined` where there was no entry; the text itself where it is not JSON. */
function textIn(result: string): string | undefined {
  try {
    const value: unknown = JSON.parse(result);
    return typeof value === "string" ? value : undefined;
  } catch {
    return result;
  }
}

function nameOf(event: HistoryEvent | undefined): string | undefined {
  if (event === undefined) return undefined;
  if ("name" in event) return event.name;
  return "key" in event ? event.key : undefined;
}
