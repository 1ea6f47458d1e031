/**
 * What the code has given up is written down, so that a replay gives up the same, and the work behind it is told
 * to stop (docs/reference/runtime-semantics.md §1.8).
 */
import type { ActivityId } from "../../contract/provider.ts";
import type { EventType, HistoryEvent } from "../../wire/event.ts";
import type { U64 } from "../../wire/integer.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";
import { childInstanceId } from "../calls/action.ts";
import type { CallFamily } from "../calls/durable-call.ts";
import { ReplayFailure } from "../replay-failure.ts";
import type { EventWriter } from "./event-writer.ts";
import { HistoryIndex, type Schedule } from "./history-index.ts";

const DROPPED_FUTURE = "dropped_future";

/** Timers leave no trace when they are given up. */
type Family = Exclude<CallFamily, "timer">;

/** The order in which the families are written. */
const CANCEL_EVENT = {
  activity: "ActivityCancelRequested",
  "sub-orchestration": "SubOrchestrationCancelRequested",
  wait: "ExternalSubscribedCancelled",
  dequeue: "ExternalSubscribedPersistentCancelled",
} as const satisfies Record<Family, EventType>;

const FAMILIES = Object.keys(CANCEL_EVENT) as Family[];

const PLURAL: Readonly<Record<Family, string>> = {
  activity: "activities",
  "sub-orchestration": "sub-orchestrations",
  wait: "external waits",
  dequeue: "persistent waits",
};

/** Replayed code must give up at least what history says that it gave up. */
export function checkRecordedDrops(history: readonly HistoryEvent[], dropped: ReadonlySet<U64>): void {
  for (const event of history) {
    const family = FAMILIES.find((candidate) => CANCEL_EVENT[candidate] === event.type);
    if (family === undefined || event.source_event_id === null) continue;
    if (!("reason" in event) || event.reason !== DROPPED_FUTURE) continue;
    if (dropped.has(event.source_event_id)) continue;
    throw ReplayFailure.nondeterminism(
      `cancellation mismatch (${PLURAL[family]}): history gave up ${event.source_event_id}, the code does not`,
    );
  }
}

/**
 * Replayed code gives up nothing that history does not say was given up: an earlier run would have recorded it. What
 * was answered by then may have been given up without a record, and so may anything in a history of a runtime that let
 * given-up waits keep their place.
 */
export function checkUnrecordedDrops(history: readonly HistoryEvent[], dropped: ReadonlySet<U64>): void {
  if (dropped.size === 0) return;
  const recorded = new Set(history.filter(isCancellation).map(({ source_event_id: source }) => source));
  const missing = [...dropped].filter((id) => !recorded.has(id));
  if (missing.length === 0) return;
  const index = HistoryIndex.of(history);
  for (const id of missing) {
    const schedule = index.schedule(id);
    if (schedule === undefined || schedule.answered || schedule.family === "timer") continue;
    throw ReplayFailure.nondeterminism(
      `cancellation mismatch (${PLURAL[schedule.family]}): the code gave up ${id}, history does not`,
    );
  }
}

function isCancellation({ type }: HistoryEvent): boolean {
  return FAMILIES.some((family) => CANCEL_EVENT[family] === type);
}

export interface DropEffects {
  readonly cancelledActivities: readonly ActivityId[];
  readonly orchestratorItems: readonly OrchestratorItem[];
}

export const NO_DROPS: DropEffects = { cancelledActivities: [], orchestratorItems: [] };

export interface DropsToRecord {
  readonly instanceId: string;
  readonly executionId: number;
  /** Schedule ids of what the code has given up since the execution began. */
  readonly dropped: ReadonlySet<U64>;
  /** Children from this id on are scheduled in a turn that ends the execution: they never start. */
  readonly neverStartedFrom: number;
}

/** Records what was given up and is not recorded yet; side effects go with a new record only. */
export function recordDrops(
  { instanceId, executionId, dropped, neverStartedFrom }: DropsToRecord,
  index: HistoryIndex,
  writer: EventWriter,
): DropEffects {
  if (dropped.size === 0) return NO_DROPS;
  const cancelledActivities: ActivityId[] = [];
  const orchestratorItems: OrchestratorItem[] = [];
  for (const { id, family, childId, answered } of unrecorded(dropped, index)) {
    if (family === "timer") continue;
    writer.append(CANCEL_EVENT[family], { reason: DROPPED_FUTURE }, id);
    if (family === "activity") cancelledActivities.push({ instanceId, executionId, activityId: Number(id) });
    if (childId === undefined || answered || id >= neverStartedFrom) continue;
    const instance = childInstanceId(instanceId, childId);
    orchestratorItems.push({
      kind: "CancelInstance",
      instance,
      reason: "parent dropped sub-orchestration future",
    });
  }
  return { cancelledActivities, orchestratorItems };
}

/** By family, then ascending. */
function unrecorded(dropped: ReadonlySet<U64>, index: HistoryIndex): Readonly<Schedule>[] {
  const schedules = [...dropped].flatMap((id) => {
    const schedule = index.schedule(id);
    return schedule === undefined || schedule.cancelRecorded ? [] : [{ ...schedule }];
  });
  const rank = ({ family }: Schedule): number => FAMILIES.indexOf(family as Family);
  return schedules.sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
}
