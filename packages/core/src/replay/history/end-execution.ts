/**
 * The events that end an execution, and the notice to its parent (docs/reference/runtime-semantics.md §1.9). An execution
 * that has ended must leave nothing behind that could be taken for work: its waits are closed in history, and its
 * activities and timers are removed from the queues by the same commit. What happens to its children, the turn decides (turn.ts).
 */
import type { EventPayloads, EventType } from "../../wire/event.ts";
import type { U64 } from "../../wire/integer.ts";
import { ACTIVITY } from "../calls/activity.ts";
import { CALLS } from "../calls/table.ts";
import type { EventWriter } from "./event-writer.ts";
import type { HistoryIndex } from "./history-index.ts";
import type { Removals } from "./record-drops.ts";
import { deadlineOf, openTimers } from "./waiting-timers.ts";

type Terminal = {
  [T in "OrchestrationCompleted" | "OrchestrationFailed" | "OrchestrationContinuedAsNew"]: {
    readonly type: T;
    readonly payload: EventPayloads[T];
  };
}["OrchestrationCompleted" | "OrchestrationFailed" | "OrchestrationContinuedAsNew"];

const ACTIVITY_REASON: Readonly<Record<Terminal["type"], string>> = {
  OrchestrationCompleted: "orchestration_terminal_completed",
  OrchestrationFailed: "orchestration_terminal_failed",
  OrchestrationContinuedAsNew: "orchestration_terminal_continued_as_new",
};

/**
 * Closes the open calls that are answered by name, writes the terminal event and, after it, cancels the open
 * activities, in the order of Rust's histories. The deadline holds for the next execution too.
 */
export function endExecution(index: HistoryIndex, writer: EventWriter, terminal: Terminal): Removals {
  writer.settle();
  for (const kind of CALLS) {
    const dropped = kind.arrival === undefined ? undefined : kind.drop?.event;
    if (dropped === undefined) continue;
    for (const { id } of index.open(kind)) writer.append(dropped, { reason: "orchestration_terminal" }, id);
  }
  const { type, payload } = terminal;
  const { instance_id: instanceId, execution_id: executionId } = writer.append<EventType>(type, payload);
  const cancelledActivities = index.open(ACTIVITY).map(({ id }) => {
    writer.append("ActivityCancelRequested", { reason: ACTIVITY_REASON[type] }, id);
    return { instanceId, executionId: Number(executionId), activityId: Number(id) };
  });
  const deadline = type === "OrchestrationContinuedAsNew" ? [] : deadlineOf(index);
  const timers = openTimers(index, Number(executionId), writer.firstEventId);
  return { cancelledActivities, droppedTimers: [...timers, ...deadline] };
}

/** The parent that gets the result of a child, from the link in its OrchestrationStarted. */
export interface ParentNotice {
  readonly instanceId: string;
  readonly scheduleId: U64;
  /** Absent in histories of older runtimes: then the parent's newest execution gets the result. */
  readonly executionId: U64 | undefined;
}

export function parentNotice({ started }: HistoryIndex): ParentNotice | undefined {
  return started && parentOfStart(started);
}

export function parentOfStart(started: EventPayloads["OrchestrationStarted"]): ParentNotice | undefined {
  if (started.parent_instance === null || started.parent_id === null) return undefined;
  return {
    instanceId: started.parent_instance,
    scheduleId: started.parent_id,
    executionId: started.parent_execution_id,
  };
}
