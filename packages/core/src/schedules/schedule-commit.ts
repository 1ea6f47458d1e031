/**
 * The commit of a change of a schedule: its state, the timer of its next due time, and the starts, all of it or nothing.
 * History has the timers and the states; nothing is replayed, so another release of this package may go on from there.
 */
import type { Clock } from "../contract/clock.ts";
import type { TurnContent } from "../contract/provider.ts";
import { EventWriter } from "../replay/history/event-writer.ts";
import { HistoryIndex } from "../replay/history/history-index.ts";
import type { HistoryEvent } from "../wire/event.ts";
import type { U64 } from "../wire/integer.ts";
import {
  SCHEDULE_ORCHESTRATION,
  SCHEDULE_PIN,
  SCHEDULE_VERSION,
  scheduleInstance,
} from "../wire/scheduled.ts";
import type { OrchestratorItem } from "../wire/work-item.ts";
import type { ScheduleTurn } from "./schedule-turn.ts";

/** Events after which the instance continues as new, and the size of the states after which it does, in characters. */
const MOST_EVENTS = 150;
const MOST_CHARACTERS = 500_000;

/** The stored state of a schedule. */
export interface SchedulePlace {
  readonly name: string;
  readonly executionId: number;
  /** Its events so far; none for an execution that begins. */
  readonly history: readonly HistoryEvent[];
  readonly text: string | undefined;
}

/** The text of its state. */
export function stateText(history: readonly HistoryEvent[]): string | undefined {
  let text: string | null | undefined;
  for (const event of history) {
    if (event.type === "OrchestrationStarted") text = event.initial_custom_status;
    else if (event.type === "CustomStatusUpdated") text = event.status;
  }
  return text ?? undefined;
}

/** The commit; `undefined` if nothing changes. `fired`: the timers whose messages the commit consumes. */
export function scheduleCommit(
  turn: ScheduleTurn,
  place: SchedulePlace,
  clock: Clock,
  {
    fired = [],
    mayContinue = false,
  }: { readonly fired?: readonly U64[]; readonly mayContinue?: boolean } = {},
): TurnContent | undefined {
  const { name, executionId, history, text: before } = place;
  const instance = scheduleInstance(name);
  const index = HistoryIndex.of(history);
  const writer = new EventWriter(instance, executionId, index, clock);
  const text = JSON.stringify(turn.state);
  const isFirst = history.length === 0;
  if (isFirst) {
    writer.append("OrchestrationStarted", {
      name: SCHEDULE_ORCHESTRATION,
      version: SCHEDULE_VERSION,
      input: "null",
      parent_instance: null,
      parent_id: null,
      ...(before !== undefined && { initial_custom_status: before }),
    });
  }
  const open = openTimers(history);
  for (const [id, fireAtMs] of open)
    if (fired.includes(id)) writer.append("TimerFired", { fire_at_ms: fireAtMs }, id);
  if (text !== before) writer.append("CustomStatusUpdated", { status: text });
  const starts = [...turn.starts.map((start) => startOf(turn, start)), ...turn.cancels.map(cancelOf)];
  const continues = mayContinue && !isFirst && isLong(history, text);
  const { wakeAtMs } = turn;
  const waiting = [...open].filter(([id]) => !fired.includes(id));
  const dropped = waiting.filter(([, fireAtMs]) => continues || fireAtMs !== wakeAtMs);
  const keeps = waiting.length > dropped.length;
  const messages: OrchestratorItem[] = [];
  if (continues) {
    writer.append("OrchestrationContinuedAsNew", { input: "null" });
    messages.push({
      kind: "ContinueAsNew",
      instance,
      orchestration: SCHEDULE_ORCHESTRATION,
      input: "null",
      version: SCHEDULE_VERSION,
      carry_forward_events: [],
      initial_custom_status: text,
    });
  } else if (wakeAtMs !== undefined && !keeps) {
    const { event_id: id } = writer.append("TimerCreated", { fire_at_ms: wakeAtMs });
    messages.push({ kind: "TimerFired", instance, execution_id: executionId, id, fire_at_ms: wakeAtMs });
  }
  if (writer.delta.length === 0 && starts.length === 0 && dropped.length === 0) return undefined;
  if (dropped.length > 0) writer.markDroppedTimers(dropped.map(([id]) => id));
  return {
    executionId,
    historyDelta: writer.delta,
    workerItems: [],
    orchestratorItems: [...starts, ...messages],
    metadata: {
      ...(isFirst && {
        orchestrationName: SCHEDULE_ORCHESTRATION,
        orchestrationVersion: SCHEDULE_VERSION,
        pinnedVersion: SCHEDULE_PIN,
      }),
      ...(continues && { status: "ContinuedAsNew" as const, output: "null" }),
    },
    cancelledActivities: [],
    ...(dropped.length > 0 && {
      droppedTimers: dropped.map(([id, fireAtMs]) => ({ executionId, timerId: Number(id), fireAtMs })),
    }),
  };
}

/** The history may have only its last events; it has three for each turn. */
function isLong(history: readonly HistoryEvent[], text: string): boolean {
  const count = Number(history.at(-1)?.event_id ?? 0);
  return count >= MOST_EVENTS || (count / 3) * text.length >= MOST_CHARACTERS;
}

/** The timers that have neither fired nor were dropped, and when they are due. */
function openTimers(history: readonly HistoryEvent[]): ReadonlyMap<U64, number> {
  const open = new Map<U64, number>();
  for (const event of history) {
    if (event.type === "TimerCreated") open.set(event.event_id, Number(event.fire_at_ms));
    else if (event.type === "TimerFired" && event.source_event_id !== null)
      open.delete(event.source_event_id);
    for (const id of event.dropped_timers ?? []) open.delete(id);
  }
  return open;
}

function startOf(
  turn: ScheduleTurn,
  { id, dueMs, input, tells }: ScheduleTurn["starts"][number],
): OrchestratorItem {
  return {
    kind: "StartOrchestration",
    instance: id,
    orchestration: turn.state.definition.orchestration,
    input,
    version: null,
    parent_instance: null,
    parent_id: null,
    execution_id: 1,
    scheduled: { name: turn.name, due_ms: dueMs, ...(tells && { tells }) },
  };
}

function cancelOf(instance: string): OrchestratorItem {
  return { kind: "CancelInstance", instance, reason: "the schedule starts its next run (overlap: cancel)" };
}
