/** Converts between arguments of callers and the stored JSON text. */
import { DEFAULT_PRIORITY } from "../../contract/limits.ts";
import { invalidInput, toPositiveId } from "../../stores/arguments.ts";
import { messageOf } from "../../stores/message-of.ts";
import { timerIdOf, timerKey } from "../../stores/timers.ts";
import { decodeEvent, decodeWorkItem, encodeEvent, encodeWorkItem } from "../../wire/codec.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import { saturatedNumber } from "../../wire/integer.ts";
import { type ActivityExecute, type OrchestratorItem, targetInstance } from "../../wire/work-item.ts";
import type { ActivityRow, Execution, MessageRow } from "./store.ts";

/** A timer is ordered by its deadline, every other message by its enqueue time. */
export function toMessageRow(
  operation: string,
  item: OrchestratorItem,
  nowMs: number,
  visibleAtMs: number = nowMs,
): MessageRow {
  // A JavaScript caller may pass an activity.
  if ((item.kind as string) === "ActivityExecute") {
    throw invalidInput(operation, "an ActivityExecute belongs in the worker queue; use enqueueForWorker");
  }
  const timer = timerIdOf(item);
  return {
    timer: timer && timerKey(timer),
    instanceId: targetInstance(item),
    workItem: encoded(operation, () => encodeWorkItem(item)),
    parentInstanceId: item.kind === "StartOrchestration" ? (item.parent_instance ?? undefined) : undefined,
    orderAtMs: item.kind === "TimerFired" ? saturatedNumber(item.fire_at_ms) : nowMs,
    visibleAtMs,
    attemptCount: 0,
    lockToken: undefined,
    loneRuns: 0,
  };
}

export function toMessage({ workItem }: MessageRow): OrchestratorItem {
  return decodeWorkItem(workItem) as OrchestratorItem;
}

export function toActivityRow(operation: string, item: ActivityExecute, visibleAtMs: number): ActivityRow {
  if (item.kind !== "ActivityExecute") {
    throw invalidInput(operation, "only an ActivityExecute belongs in the worker queue");
  }
  return {
    instanceId: item.instance,
    executionId: Number(item.execution_id),
    activityId: Number(item.id),
    sessionId: item.session_id,
    tag: item.tag,
    limit: item.limit,
    priority: item.priority === undefined ? DEFAULT_PRIORITY : Number(item.priority),
    queuedAtMs: visibleAtMs,
    workItem: encoded(operation, () => encodeWorkItem(item)),
    visibleAtMs,
    attemptCount: 0,
    lockToken: undefined,
    lockedUntilMs: 0,
    loneRuns: 0,
    block: undefined,
  };
}

export function toActivity({ workItem }: ActivityRow): ActivityExecute {
  return decodeWorkItem(workItem) as ActivityExecute;
}

/** An event ready to be added: its text, under its id. */
export type EventEntry = readonly [eventId: number, text: string];

export function toEventEntries(operation: string, events: readonly HistoryEvent[]): EventEntry[] {
  return events.map((event) => [
    toPositiveId(operation, "event_id", event.event_id),
    encoded(operation, () => encodeEvent(event)),
  ]);
}

/** All events by id. Throws if one cannot be read, because a history must never be shortened. */
export function readEvents(execution: Execution | undefined): HistoryEvent[] {
  const entries = [...(execution?.events ?? [])].sort(([a], [b]) => a - b);
  return entries.map(([, text]) => decodeEvent(text));
}

function encoded(operation: string, encode: () => string): string {
  try {
    return encode();
  } catch (error) {
    throw invalidInput(operation, messageOf(error));
  }
}
