/** The paths under which `redact` sees the payloads of events. */
import type { EventOf, HistoryEvent } from "../wire/event.ts";
import { askedQuestion } from "../wire/question.ts";
import { sentMessage } from "../wire/sent-message.ts";

/** Fields of events that are texts of the codec. */
const ENCODED: ReadonlySet<string> = new Set([
  "input",
  "result",
  "output",
  "data",
  "value",
  "status",
  "initial_custom_status",
]);

/** Path of messages of errors and of their causes, and of reasons. */
export const MESSAGE = "error.message";

/** Whether a field of an event is a text of the codec. */
export function isPayloadField(field: string): boolean {
  return ENCODED.has(field);
}

/** An event or a queue message from outside. */
export function isArrival(
  event: HistoryEvent,
): event is EventOf<"ExternalEvent"> | EventOf<"ExternalEventPersistent"> {
  return event.type === "ExternalEvent" || event.type === "ExternalEventPersistent";
}

/** The path of a field of an event, as `redact` gets it. */
export function payloadPath(event: HistoryEvent, field: string): string {
  switch (event.type) {
    case "ExternalEvent":
      return `event.${event.name}`;
    case "ExternalEventPersistent": {
      const asked = askedQuestion(event.name);
      return asked === undefined ? `queue.${event.name}` : `question.${asked.question}`;
    }
    case "OrchestrationChained": {
      const sent = sentMessage(event.name);
      if (sent === undefined || field !== "input") return field;
      return `${sent.call === "raise" && sent.keep !== true ? "event" : "queue"}.${sent.name}`;
    }
    case "KeyValueSet":
      return field === "value" ? `kv.${event.key}` : field;
    default:
      return field === "initial_custom_status" ? "status" : field;
  }
}
