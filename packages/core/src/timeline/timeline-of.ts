/**
 * A timeline from events. One pass over the history; the cost is linear in the number of events.
 *
 * - timeline-of.V1: No code runs, so a timeline shows which timers the code has dropped only where events say it.
 * - timeline-of.V2: Fields that other versions and Rust do not write only add to a timeline. Without them each attempt
 *   is a step, and pauses and limits are timers.
 * - timeline-of.V3: A retry or a rewind keeps events with their times, and queues again what is open in them. An
 *   activity that it queued waits from then on; everything else, as a wait for an event, goes on.
 */
import type { ListedStatus } from "../contract/listed-status.ts";
import { cancellationOf } from "../wire/error-details.ts";
import { type HistoryEvent, isTerminal, type RevisionMark } from "../wire/event.ts";
import { saturatedNumber } from "../wire/integer.ts";
import { wholeInputs } from "../wire/shared-inputs.ts";
import { StepsOfHistory } from "./steps-of-history.ts";
import type { BegunByHand, InstanceTimeline } from "./timeline.ts";
import { waitsOf } from "./waits-of.ts";

/** The timeline of the execution that these events are the history of, oldest first; `undefined` without events. */
export function timelineOf(events: readonly HistoryEvent[]): InstanceTimeline | undefined {
  const [first] = events;
  const last = events.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const started = first.type === "OrchestrationStarted" ? first : undefined;
  const terminal = events.findLast(isTerminal);
  const cancel = events.find((event) => event.type === "OrchestrationCancelRequested");
  const byHand = started?.revision && begunByHand(started.revision);
  const steps = new StepsOfHistory(wholeInputs(events), {
    ...(terminal !== undefined && { endedAtMs: saturatedNumber(terminal.timestamp_ms) }),
    ...(byHand !== undefined && { begunByHandAtMs: byHand.atMs }),
  });
  const { parent_instance: parent } = started ?? {};
  const customStatus = statusSetBy(events);
  return {
    instanceId: first.instance_id,
    executionId: Number(first.execution_id),
    orchestrationName: started?.name ?? "unknown",
    orchestrationVersion: started?.version ?? "unknown",
    ...(parent !== undefined && parent !== null && { parentInstanceId: parent }),
    status: statusOf(terminal),
    startedAtMs: saturatedNumber(first.timestamp_ms),
    ...(terminal !== undefined && { endedAtMs: saturatedNumber(terminal.timestamp_ms) }),
    lastEventAtMs: saturatedNumber(last.timestamp_ms),
    eventCount: events.length,
    ...(started !== undefined && { input: started.input }),
    ...(terminal?.type === "OrchestrationCompleted" && { output: terminal.output }),
    ...(terminal?.type === "OrchestrationFailed" && { failure: terminal.details }),
    ...(customStatus !== null && { customStatus }),
    ...(byHand !== undefined && { begunByHand: byHand }),
    ...(cancel?.type === "OrchestrationCancelRequested" && {
      cancelRequested: { reason: cancel.reason, atMs: saturatedNumber(cancel.timestamp_ms) },
    }),
    steps: steps.steps,
    waits: terminal === undefined ? waitsOf(steps.steps) : [],
    unread: steps.unread,
    setAside: steps.setAside,
  };
}

/** The stored text of the custom status; `null` where there is none. */
function statusSetBy(events: readonly HistoryEvent[]): string | null {
  const last = events.findLast((event) => event.type === "CustomStatusUpdated");
  if (last?.type === "CustomStatusUpdated") return last.status;
  const [first] = events;
  return (first?.type === "OrchestrationStarted" ? first.initial_custom_status : undefined) ?? null;
}

function begunByHand({ verb, of, by, reason, at_ms: atMs }: RevisionMark): BegunByHand {
  return {
    verb,
    of: Number(of),
    ...(by !== undefined && { by }),
    ...(reason !== undefined && { reason }),
    atMs: saturatedNumber(atMs),
  };
}

function statusOf(terminal: HistoryEvent | undefined): ListedStatus {
  switch (terminal?.type) {
    case "OrchestrationCompleted":
      return "Completed";
    case "OrchestrationFailed":
      return cancellationOf(terminal.details) === undefined ? "Failed" : "Cancelled";
    case "OrchestrationContinuedAsNew":
      return "ContinuedAsNew";
    default:
      return "Running";
  }
}
