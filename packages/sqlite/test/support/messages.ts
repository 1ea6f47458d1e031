/** Events and work items with everything filled in that a test does not care about. */
import type {
  ActivityExecute,
  ActivityOutcome,
  EventOf,
  EventPayloads,
  EventType,
  FetchedOrchestration,
  HistoryEvent,
  OrchestrationAck,
  OrchestratorItem,
  WorkItemOf,
} from "@duroxide-ts/core";

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

export function continueItem(instance: string): OrchestratorItem {
  return {
    kind: "ContinueAsNew",
    instance,
    orchestration: "TestOrch",
    input: "{}",
    version: null,
    carry_forward_events: [],
  };
}

export function raised(instance: string, name: string): OrchestratorItem {
  return { kind: "ExternalRaised", instance, name, data: "{}" };
}

export function queueMessage(instance: string, name: string): OrchestratorItem {
  return { kind: "QueueMessage", instance, name, data: "{}" };
}

export function timer(instance: string, fireAtMs: number, id = 2): OrchestratorItem {
  return { kind: "TimerFired", instance, execution_id: 1, id, fire_at_ms: fireAtMs };
}

export function activity(
  instance: string,
  id: number,
  more: { readonly tag?: string; readonly session_id?: string; readonly execution_id?: number } = {},
): ActivityExecute {
  return { kind: "ActivityExecute", instance, execution_id: 1, id, name: "work", input: "{}", ...more };
}

export function completion(instance: string, id: number, result = "done"): ActivityOutcome {
  return { kind: "ActivityCompleted", instance, execution_id: 1, id, result };
}

/** In the order of their ids from `firstId`, for the given execution. */
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

export function started(
  instance: string,
  executionId = 1,
  more: Partial<EventPayloads["OrchestrationStarted"]> = {},
): HistoryEvent {
  const payload = { name: "TestOrch", version: "1.0.0", input: "{}", parent_instance: null, parent_id: null };
  return eventOf("OrchestrationStarted", instance, 1, { ...payload, ...more }, executionId);
}

export function scheduled(instance: string, eventId: number, executionId = 1): HistoryEvent {
  return eventOf("ActivityScheduled", instance, eventId, { name: "work", input: "{}" }, executionId);
}

export function failed(instance: string, eventId: number, message: string, executionId = 1): HistoryEvent {
  const details = { Application: { kind: "OrchestrationFailed", message, retryable: false } } as const;
  return eventOf("OrchestrationFailed", instance, eventId, { details }, executionId);
}

/** The commit of a turn that does nothing but what is given. */
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
