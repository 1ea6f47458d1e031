/** The messages that a turn sends (docs/reference/runtime-semantics.md §1.5, §1.9). */
import { MAX_CARRIED_MESSAGES } from "../../define/limits.ts";
import type { EventOf } from "../../wire/event.ts";
import type { ActivityExecute, OrchestratorItem, WorkItemOf } from "../../wire/work-item.ts";
import { automaticChildId, childInstanceId } from "../calls/action.ts";
import type { LiveExecution, RecordedAction } from "../code/live-execution.ts";
import type { Continuation } from "../code/program.ts";

export interface Outgoing {
  readonly workerItems: readonly ActivityExecute[];
  readonly orchestratorItems: readonly OrchestratorItem[];
}

/** Everything that a turn which goes on has asked for. */
export function dispatchAll(live: LiveExecution, recorded: readonly RecordedAction[]): Outgoing {
  const workerItems: ActivityExecute[] = [];
  const orchestratorItems: OrchestratorItem[] = [];
  for (const { action, eventId } of recorded) {
    if (action.kind === "activity") workerItems.push(activityItem(live, action, eventId));
    else if (action.kind === "timer") orchestratorItems.push(timerItem(live, action, eventId));
    else if (action.kind === "sub-orchestration") orchestratorItems.push(childStart(live, action, eventId));
    else if (action.kind === "detached") orchestratorItems.push(detachedStart(action));
  }
  return { workerItems, orchestratorItems };
}

/** A turn that ends the execution still starts what does not depend on it. */
export function dispatchDetached(recorded: readonly RecordedAction[]): readonly OrchestratorItem[] {
  return recorded.flatMap(({ action }) => (action.kind === "detached" ? [detachedStart(action)] : []));
}

type ActionOf<K extends RecordedAction["action"]["kind"]> = Extract<RecordedAction["action"], { kind: K }>;

function activityItem(live: LiveExecution, action: ActionOf<"activity">, id: number): ActivityExecute {
  return {
    kind: "ActivityExecute",
    instance: live.identity.instanceId,
    execution_id: live.identity.executionId,
    id,
    name: action.name,
    input: action.input,
    ...(action.sessionId !== undefined && { session_id: action.sessionId }),
    ...(action.tag !== undefined && { tag: action.tag }),
    ...(action.attempt?.firstId !== undefined && { retry_of: action.attempt.firstId }),
  };
}

function timerItem(live: LiveExecution, { fireAtMs }: ActionOf<"timer">, id: number): OrchestratorItem {
  return {
    kind: "TimerFired",
    instance: live.identity.instanceId,
    execution_id: live.identity.executionId,
    id,
    fire_at_ms: fireAtMs,
  };
}

function childStart(
  live: LiveExecution,
  action: ActionOf<"sub-orchestration">,
  id: number,
): OrchestratorItem {
  const recorded = action.instanceId ?? automaticChildId(id, live.identity.executionId);
  return {
    kind: "StartOrchestration",
    instance: childInstanceId(live.identity.instanceId, recorded),
    orchestration: action.name,
    input: action.input,
    version: action.version ?? null,
    parent_instance: live.identity.instanceId,
    parent_id: id,
    parent_execution_id: live.identity.executionId,
    execution_id: 1,
  };
}

function detachedStart({ name, instanceId, input, version }: ActionOf<"detached">): OrchestratorItem {
  return {
    kind: "StartOrchestration",
    instance: instanceId,
    orchestration: name,
    input,
    version: version ?? null,
    parent_instance: null,
    parent_id: null,
    execution_id: 1,
  };
}

/** The start of the next execution, with what it inherits. */
export function continueItem(
  live: LiveExecution,
  { orchestrationName, input, version }: Continuation,
  started: EventOf<"OrchestrationStarted">,
): WorkItemOf<"ContinueAsNew"> {
  return {
    kind: "ContinueAsNew",
    instance: live.identity.instanceId,
    orchestration: orchestrationName,
    input,
    version: version ?? null,
    ...(started.parent_instance !== null && { parent_instance: started.parent_instance }),
    ...(started.parent_id !== null && { parent_id: started.parent_id }),
    ...(started.parent_execution_id !== undefined && { parent_execution_id: started.parent_execution_id }),
    carry_forward_events: live.unreadMessages
      .slice(0, MAX_CARRIED_MESSAGES)
      .map(({ name, data }) => [name, data] as const),
    ...(live.status !== null && { initial_custom_status: live.status }),
    ...(started.deadline_ms !== undefined && { deadline_ms: started.deadline_ms }),
  };
}

/** The unread messages that the start of the next execution cannot carry: they go back to the head of the queue. */
export function returnedMessages(live: LiveExecution): readonly WorkItemOf<"QueueMessage">[] {
  const { instanceId: instance } = live.identity;
  return live.unreadMessages
    .slice(MAX_CARRIED_MESSAGES)
    .map(({ name, data }) => ({ kind: "QueueMessage", instance, name, data }));
}
