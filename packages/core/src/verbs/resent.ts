/** The message that an event was stored for, sent again to another execution. */
import type { EventOf, HistoryEvent, Ran, Redelivered } from "../wire/event.ts";
import type { OrchestratorItem } from "../wire/work-item.ts";
import type { Receiver } from "./answering-events.ts";

/** Only for events that answer a call; `receiver` is what had received an event that must be kept. */
export function messageOf(
  event: HistoryEvent,
  instance: string,
  executionId: number,
  receiver?: Receiver,
): OrchestratorItem {
  const id = event.source_event_id ?? 0;
  const ofChild = { parent_instance: instance, parent_execution_id: executionId, parent_id: id };
  const ofCall = { instance, execution_id: executionId, id };
  switch (event.type) {
    case "ActivityCompleted":
      return { kind: "ActivityCompleted", ...ofCall, result: event.result, ...ranOf(event) };
    case "ActivityFailed":
      return { kind: "ActivityFailed", ...ofCall, details: event.details, ...ranOf(event) };
    case "TimerFired":
      return { kind: "TimerFired", ...ofCall, fire_at_ms: event.fire_at_ms };
    case "SubOrchestrationCompleted":
      return { kind: "SubOrchCompleted", ...ofChild, result: event.result };
    case "SubOrchestrationFailed":
      return { kind: "SubOrchFailed", ...ofChild, details: event.details };
    case "ExternalEvent": {
      const { name, data } = event;
      const message = { instance, name, data, ...replacesOf(event) };
      if (receiver === "kept wait") return { kind: "QueueMessage", ...message, kept_event: true };
      const isKept = receiver === "wait" || event.sent_again === true;
      return { kind: "ExternalRaised", ...message, ...(isKept && { sent_again: true }) };
    }
    case "ExternalEventPersistent":
      return {
        kind: "QueueMessage",
        instance,
        name: event.name,
        data: event.data,
        ...(event.kept_event === true && { kept_event: true }),
        ...replacesOf(event),
      };
    default:
      throw new Error(`a ${event.type} answers no call, and is not sent`);
  }
}

function ranOf({ ran }: EventOf<"ActivityCompleted" | "ActivityFailed">): { readonly ran?: Ran } {
  return ran === undefined ? {} : { ran };
}

function replacesOf({ replaces }: Redelivered): Redelivered {
  return replaces === undefined ? {} : { replaces };
}
