/**
 * History records which calls the code dropped, so that a replay drops the same ones and the work behind them is
 * cancelled (docs/reference/runtime-semantics.md §1.8). Drops of timers have no event, as in Rust; a mark on the last event
 * of the turn tells them to timelines.
 *
 * - record-drops.D1: A drop is recorded once. The cancel event and its messages are written in the turn in which the
 *   code drops the call, and in no later turn, because a repeated message would cancel a child twice.
 * - record-drops.D2: The replayed code drops every call whose drop history records. Without this check, code that now
 *   awaits the call would wait for an answer that never arrives.
 * - record-drops.D3: History records the drop of every call that the replayed code drops, unless the call was answered
 *   by then. Executions begun before 0.1.31 are exempt, because their drops take effect later than in the code.
 * - record-drops.D4: The turn in which the code drops a timer removes its message. A replay finds the drops of earlier
 *   turns before it feeds the events of its own (`noteDroppedTimers`).
 */
import type { ActivityId, TimerId } from "../../contract/provider.ts";
import { invariant } from "../../errors/invariant.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import type { U64 } from "../../wire/integer.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";
import type { CallKind, Drop } from "../calls/kind.ts";
import { CALLS, roleOfEvent } from "../calls/table.ts";
import { ReplayFailure } from "../replay-failure.ts";
import { cancelChild, PARENT_DROPPED } from "./cancellation.ts";
import type { EventWriter } from "./event-writer.ts";
import { HistoryIndex, type Schedule } from "./history-index.ts";
import { timerOf } from "./waiting-timers.ts";

/** The reason in cancel events of drops; the end of an execution writes other reasons. */
const DROPPED_FUTURE = "dropped_future";

/** Checks record-drops.D2. */
export function checkRecordedDrops(history: readonly HistoryEvent[], dropped: ReadonlySet<U64>): void {
  for (const event of history) {
    const drop = recordedDrop(event);
    if (drop === undefined || event.source_event_id === null) continue;
    if (!("reason" in event) || event.reason !== DROPPED_FUTURE) continue;
    if (dropped.has(event.source_event_id)) continue;
    throw ReplayFailure.nondeterminism(
      `cancellation mismatch (${drop.plural}): history gave up ${event.source_event_id}, the code does not`,
    );
  }
}

/** Checks record-drops.D3. */
export function checkUnrecordedDrops(history: readonly HistoryEvent[], dropped: ReadonlySet<U64>): void {
  if (dropped.size === 0) return;
  const isRecorded = (event: HistoryEvent): boolean => recordedDrop(event) !== undefined;
  const recorded = new Set(history.filter(isRecorded).map(({ source_event_id: source }) => source));
  const missing = [...dropped].filter((id) => !recorded.has(id));
  if (missing.length === 0) return;
  const index = HistoryIndex.of(history);
  for (const id of missing) {
    const schedule = index.schedule(id);
    if (schedule === undefined || schedule.answered || !schedule.kind.drop?.event) continue;
    throw ReplayFailure.nondeterminism(
      `cancellation mismatch (${schedule.kind.drop.plural}): the code gave up ${id}, history does not`,
    );
  }
}

function recordedDrop({ type }: HistoryEvent): Drop | undefined {
  const role = roleOfEvent(type);
  return role?.is === "drop" ? role.kind.drop : undefined;
}

/** Notes the timers that the code had dropped when all of history was fed to it (record-drops.D4). */
export function noteDroppedTimers(dropped: ReadonlySet<U64>, index: HistoryIndex): void {
  for (const id of dropped) if (index.schedule(id)?.kind.drop?.removes === "timer") index.noteDropped(id);
}

/** Rows that a commit removes from the two queues. */
export interface Removals {
  readonly cancelledActivities: readonly ActivityId[];
  readonly droppedTimers: readonly TimerId[];
}

export interface DropEffects extends Removals {
  readonly orchestratorItems: readonly OrchestratorItem[];
}

export const NO_DROPS: DropEffects = { cancelledActivities: [], droppedTimers: [], orchestratorItems: [] };

export interface DropsToRecord {
  readonly instanceId: string;
  readonly executionId: number;
  /** Schedule ids of the calls that the code has dropped since the execution began. */
  readonly dropped: ReadonlySet<U64>;
  /** Children from this id on are scheduled in a turn that ends the execution: they never start. */
  readonly neverStartedFrom: number;
}

/** Records the drops that are not recorded yet (record-drops.D1). */
export function recordDrops(
  { instanceId, executionId, dropped, neverStartedFrom }: DropsToRecord,
  index: HistoryIndex,
  writer: EventWriter,
): DropEffects {
  if (dropped.size === 0) return NO_DROPS;
  const cancelledActivities: ActivityId[] = [];
  const droppedTimers: TimerId[] = [];
  const orchestratorItems: OrchestratorItem[] = [];
  const timers: U64[] = [];
  for (const schedule of unrecorded(dropped, index)) {
    const { id, kind, childId, answered } = schedule;
    const { event, removes } = kind.drop ?? {};
    if (event !== undefined) writer.append(event, { reason: DROPPED_FUTURE }, id);
    if (removes === "activity") cancelledActivities.push({ instanceId, executionId, activityId: Number(id) });
    if (removes === "timer") {
      index.noteDropped(id);
      if (!answered) timers.push(id);
      if (!answered && id < writer.firstEventId) droppedTimers.push(timerOf(schedule, executionId));
    }
    invariant(index.schedule(id)?.cancelRecorded === true || removes === undefined, "record-drops.D1");
    if (childId === undefined || answered || id >= neverStartedFrom) continue;
    orchestratorItems.push(cancelChild({ instanceId, executionId }, childId, PARENT_DROPPED));
  }
  if (timers.length > 0) writer.markDroppedTimers(timers);
  return { cancelledActivities, droppedTimers, orchestratorItems };
}

/**
 * Copies the schedules, because the writer changes the index. By kind in the order of the table, then by ascending id.
 */
function unrecorded(dropped: ReadonlySet<U64>, index: HistoryIndex): Readonly<Schedule>[] {
  const schedules = [...dropped].flatMap((id) => {
    const schedule = index.schedule(id);
    return schedule === undefined || schedule.cancelRecorded ? [] : [{ ...schedule }];
  });
  const rank = (kind: CallKind): number => CALLS.indexOf(kind);
  return schedules.sort((a, b) => rank(a.kind) - rank(b.kind) || (a.id < b.id ? -1 : 1));
}

/** Joins what the code drops and what the end removes. */
export function together(drops: DropEffects, ended: Removals): Removals {
  return {
    cancelledActivities: [...drops.cancelledActivities, ...ended.cancelledActivities],
    droppedTimers: [...drops.droppedTimers, ...ended.droppedTimers],
  };
}
