/** A history as lines that a test can state: id, type, what it answers, and what it says; no times. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { displayMessage } from "@duroxide-ts/core/stores";

export function historyLines(events: readonly HistoryEvent[]): readonly string[] {
  return events.map((event) => {
    const source = event.source_event_id === null ? "" : ` of ${event.source_event_id}`;
    const content = contentOf(event);
    return `${event.event_id} ${event.type}${source}${content === "" ? "" : `: ${content}`}`;
  });
}

/** Just the types, for tests about what happened rather than about what was said. */
export function eventTypes(events: readonly HistoryEvent[]): readonly string[] {
  return events.map(({ type }) => type);
}

function contentOf(event: HistoryEvent): string {
  switch (event.type) {
    case "OrchestrationStarted":
      return `${event.name}@${event.version} ${event.input}`;
    case "OrchestrationCompleted":
      return event.output;
    case "OrchestrationContinuedAsNew":
      return event.input;
    case "OrchestrationFailed":
    case "ActivityFailed":
    case "SubOrchestrationFailed":
      return displayMessage(event.details);
    case "ActivityScheduled": {
      const session = event.session_id === undefined ? "" : ` session=${event.session_id}`;
      const tag = event.tag === undefined ? "" : ` tag=${event.tag}`;
      return `${event.name} ${event.input}${session}${tag}`;
    }
    case "ActivityCompleted":
    case "SubOrchestrationCompleted":
      return event.result;
    case "SubOrchestrationScheduled":
    case "OrchestrationChained":
      return `${event.name} ${event.instance} ${event.input}`;
    case "ExternalSubscribed":
    case "ExternalSubscribedPersistent":
      return event.name;
    case "ExternalEvent":
    case "ExternalEventPersistent":
      return `${event.name} ${event.data}`;
    case "KeyValueSet":
      return `${event.key}=${event.value}`;
    case "KeyValueCleared":
      return event.key;
    case "CustomStatusUpdated":
      return String(event.status);
    case "TimerCreated":
    case "TimerFired":
    case "KeyValuesCleared":
      return "";
    default:
      return event.reason;
  }
}
