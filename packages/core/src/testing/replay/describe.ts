/** Durable calls and the events that record them, in the words of the API, so that the two can be compared by eye. */
import type { Action } from "../../replay/calls/action.ts";
import type { HistoryEvent } from "../../wire/event.ts";

export function describeAction(action: Action): string {
  switch (action.kind) {
    case "activity": {
      const { sessionId, tag } = action;
      return `scheduleActivity(${call(action.name, action.input)})${extras({ session: sessionId, tag })}`;
    }
    case "timer":
      return "scheduleTimer";
    case "wait":
      return `waitForEvent(${call(action.name)})`;
    case "dequeue":
      return `dequeue(${call(action.name)})`;
    case "sub-orchestration":
      return `scheduleSubOrchestration(${call(action.name, action.input)})`;
    case "detached":
      return `startOrchestration(${call(action.name, action.input)})${extras({ instanceId: action.instanceId })}`;
    case "custom-status":
      return `setCustomStatus(${shorten(action.status ?? "undefined")})`;
    case "kv-set":
      return `set(${call(action.key, action.value)})`;
    case "kv-clear":
      return `delete(${call(action.key)})`;
    case "kv-clear-all":
      return "clear()";
  }
}

/** The call that the event records; any other event by its type. */
export function describeEvent(event: HistoryEvent): string {
  switch (event.type) {
    case "ActivityScheduled":
      return `scheduleActivity(${call(event.name, event.input)})${extras({ session: event.session_id, tag: event.tag })}`;
    case "TimerCreated":
      return "scheduleTimer";
    case "ExternalSubscribed":
      return `waitForEvent(${call(event.name)})`;
    case "ExternalSubscribedPersistent":
      return `dequeue(${call(event.name)})`;
    case "SubOrchestrationScheduled":
      return `scheduleSubOrchestration(${call(event.name, event.input)})`;
    case "OrchestrationChained":
      return `startOrchestration(${call(event.name, event.input)})${extras({ instanceId: event.instance })}`;
    case "CustomStatusUpdated":
      return `setCustomStatus(${shorten(event.status ?? "undefined")})`;
    case "KeyValueSet":
      return `set(${call(event.key, event.value)})`;
    case "KeyValueCleared":
      return `delete(${call(event.key)})`;
    case "KeyValuesCleared":
      return "clear()";
    default:
      return event.type;
  }
}

const LONGEST_TEXT = 120;

export function shorten(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1)}…`;
}

function call(name: string, input?: string): string {
  const quoted = JSON.stringify(name);
  return input === undefined || input === "null" ? quoted : `${quoted}, ${shorten(input)}`;
}

function extras(options: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== null);
  return given.map(([key, value]) => `, ${key} ${JSON.stringify(value)}`).join("");
}
