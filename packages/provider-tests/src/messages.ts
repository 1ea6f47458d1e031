/** Events, work items and turns, with defaults for all values that do not matter to a case. */
import {
  type ActivityExecute,
  type ActivityOutcome,
  type EventOf,
  type EventPayloads,
  type EventType,
  type FetchedOrchestration,
  type HistoryEvent,
  type OrchestrationAck,
  type OrchestratorItem,
  parseSemver,
  type Semver,
  type VersionRange,
  type WorkItemOf,
} from "@duroxide-ts/core/stores";

/** Starts TestOrch 1.0.0. */
export function startItem(
  instance: string,
  more: Partial<WorkItemOf<"StartOrchestration">> = {},
): WorkItemOf<"StartOrchestration"> {
  return {
    kind: "StartOrchestration",
    instance,
    orchestration: "TestOrch",
    input: "{}",
    version: "1.0.0",
    parent_instance: null,
    parent_id: null,
    execution_id: 1,
    ...more,
  };
}

/** Begins the next execution of TestOrch. */
export function continueItem(
  instance: string,
  more: Partial<WorkItemOf<"ContinueAsNew">> = {},
): WorkItemOf<"ContinueAsNew"> {
  return {
    kind: "ContinueAsNew",
    instance,
    orchestration: "TestOrch",
    input: "{}",
    version: null,
    carry_forward_events: [],
    ...more,
  };
}

/** A positional event. */
export function raised(instance: string, name: string): OrchestratorItem {
  return { kind: "ExternalRaised", instance, name, data: "{}" };
}

/** A message for an event queue of the instance. */
export function queueMessage(instance: string, name: string): WorkItemOf<"QueueMessage"> {
  return { kind: "QueueMessage", instance, name, data: "{}" };
}

/** The firing of a timer of execution 1; `fireAtMs` is ms since the epoch. */
export function timer(instance: string, fireAtMs: number, id = 2): OrchestratorItem {
  return { kind: "TimerFired", instance, execution_id: 1, id, fire_at_ms: fireAtMs };
}

/** An activity of execution 1, without tag and session. */
export function activity(
  instance: string,
  id: number,
  more: {
    readonly tag?: string;
    readonly session_id?: string;
    readonly execution_id?: number;
    readonly input?: string;
    readonly step_of?: string;
    readonly limit?: string;
    readonly priority?: number;
  } = {},
): ActivityExecute {
  return { kind: "ActivityExecute", instance, execution_id: 1, id, name: "work", input: "{}", ...more };
}

/** The outcome of an activity of execution 1. */
export function completion(instance: string, id: number, result = "done"): ActivityOutcome {
  return { kind: "ActivityCompleted", instance, execution_id: 1, id, result };
}

/** An event of any type, with the envelope filled in. */
export function eventOf<T extends EventType>(
  type: T,
  instance: string,
  eventId: number,
  payload: EventPayloads[T],
  executionId = 1,
): HistoryEvent {
  return {
    event_id: eventId,
    source_event_id: null,
    instance_id: instance,
    execution_id: executionId,
    timestamp_ms: 1_700_000_000_000,
    duroxide_version: "0.1.32",
    type,
    ...(payload as object),
  } as unknown as EventOf<T> as HistoryEvent;
}

/** The metadata of a turn of TestOrch 1.0.0. */
export const NAMED = { orchestrationName: "TestOrch", orchestrationVersion: "1.0.0" } as const;

/** The first event of an execution of TestOrch 1.0.0. */
export function started(
  instance: string,
  executionId = 1,
  more: Partial<EventPayloads["OrchestrationStarted"]> = {},
): HistoryEvent {
  const payload = { name: "TestOrch", version: "1.0.0", input: "{}", parent_instance: null, parent_id: null };
  return eventOf("OrchestrationStarted", instance, 1, { ...payload, ...more }, executionId);
}

/** The event with which a turn schedules an activity. */
export function scheduled(instance: string, eventId: number, executionId = 1): HistoryEvent {
  return eventOf("ActivityScheduled", instance, eventId, { name: "work", input: "{}" }, executionId);
}

/** The last event of an execution that fails. */
export function failed(instance: string, eventId: number, message: string, executionId = 1): HistoryEvent {
  const details = { Application: { kind: "OrchestrationFailed", message, retryable: false } } as const;
  return eventOf("OrchestrationFailed", instance, eventId, { details }, executionId);
}

/** The commit of a turn with only the given changes. */
export function turnOf(
  { lockToken, item }: FetchedOrchestration,
  more: Partial<OrchestrationAck> = {},
): OrchestrationAck {
  return {
    lockToken,
    executionId: item.executionId,
    historyDelta: [],
    workerItems: [],
    orchestratorItems: [],
    cancelledActivities: [],
    metadata: {},
    ...more,
  };
}

/** Throws if the text is not a semantic version. */
export function semver(text: string): Semver {
  const parsed = parseSemver(text);
  if (parsed === undefined) throw new Error(`not a version: ${text}`);
  return parsed;
}

/** A capability filter of one range, both ends included. */
export function versions(min: string, max: string): readonly [VersionRange] {
  return [{ min: semver(min), max: semver(max) }];
}
