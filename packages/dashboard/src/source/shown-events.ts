/** Events with their payloads as the page shows them. */
import { eventFields, type HistoryEvent, isPayloadField, type SetAside } from "@duroxide-ts/core/stores";
import type { ShownPayload } from "../page/shapes/payload.ts";
import { type Payloads, shownText } from "../payloads/payloads.ts";

/** Place at which the whole of a payload is read when it was cut. */
export interface Place {
  readonly instanceId: string;
  readonly executionId: number;
}

/** The fields beside the envelope as one JSON text. */
export function shownFields(
  event: HistoryEvent,
  payloads: Payloads,
  place: Place,
  whole = false,
): ShownPayload {
  const fields = eventFields(event).map(([name, value]) => [name, fieldValue(name, value, payloads)]);
  const shown = shownText(payloads.textOf(Object.fromEntries(fields)), whole);
  return shown.isCut ? { ...shown, load: loadPath(event, place) } : shown;
}

function fieldValue(name: string, value: unknown, payloads: Payloads): unknown {
  if (name === "carry_forward_events") return Array.isArray(value) ? `(${value.length} messages)` : value;
  if (name === "set_aside") return setAsideValue(value as readonly SetAside[], payloads);
  return isPayloadField(name) && typeof value === "string" ? decoded(value, payloads) : value;
}

function setAsideValue(verdicts: readonly SetAside[], payloads: Payloads): unknown {
  return verdicts.map((it) => ({ ...it, misfit: decoded(it.misfit, payloads) }));
}

function decoded(text: string, payloads: Payloads): unknown {
  try {
    return payloads.decoded(text);
  } catch {
    return "(the codec cannot decode it)";
  }
}

function loadPath(event: HistoryEvent, { instanceId, executionId }: Place): string {
  const query = new URLSearchParams({
    id: instanceId,
    execution: String(executionId),
    event: String(event.event_id),
  });
  return `payload?${query}`;
}
