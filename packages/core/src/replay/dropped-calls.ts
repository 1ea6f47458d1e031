/**
 * What the code has given up is written down, so that a replay gives up the same, and the work behind it is told
 * to stop (docs/reference/runtime-semantics.md §1.8).
 */
import type { ActivityId } from "../contract/provider.ts";
import type { EventType, HistoryEvent } from "../wire/event.ts";
import type { U64 } from "../wire/integer.ts";
import type { OrchestratorItem } from "../wire/work-item.ts";
import { childInstanceId } from "./action.ts";
import type { EventWriter } from "./event-writer.ts";
import type { HistoryIndex } from "./history-index.ts";
import type { DroppedCalls } from "./live-execution.ts";
import { ReplayFailure } from "./replay-failure.ts";

const DROPPED_FUTURE = "dropped_future";

type Family = keyof DroppedCalls;

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

/** Schedules that earlier turns recorded as given up, by family. */
export type RecordedDrops = Readonly<Record<Family, ReadonlySet<U64>>>;

export function recordedDrops(events: readonly HistoryEvent[]): RecordedDrops {
  const drops = {
    activity: new Set<U64>(),
    "sub-orchestration": new Set<U64>(),
    wait: new Set<U64>(),
    dequeue: new Set<U64>(),
  };
  for (const event of events) {
    const family = FAMILIES.find((candidate) => CANCEL_EVENT[candidate] === event.type);
    if (family === undefined || event.source_event_id === null) continue;
    if ("reason" in event && event.reason === DROPPED_FUTURE) drops[family].add(event.source_event_id);
  }
  return drops;
}

/** Replayed code must give up at least what history says that it gave up. */
export function checkRecordedDrops(recorded: RecordedDrops, dropped: DroppedCalls): void {
  for (const family of FAMILIES) {
    const missing = [...recorded[family]].filter((id) => !dropped[family].has(id));
    if (missing.length === 0) continue;
    throw ReplayFailure.nondeterminism(
      `cancellation mismatch (${PLURAL[family]}): history gave up ${missing.join(", ")}, the code does not`,
    );
  }
}

export interface DropEffects {
  readonly cancelledActivities: readonly ActivityId[];
  readonly orchestratorItems: readonly OrchestratorItem[];
}

export const NO_DROPS: DropEffects = { cancelledActivities: [], orchestratorItems: [] };

/** Records what was given up and is not recorded yet; side effects go with a new record only. */
export function recordDrops(
  dropped: DroppedCalls,
  index: HistoryIndex,
  writer: EventWriter,
  instanceId: string,
  executionId: number,
  /** Children scheduled in a turn that ends the execution are never started, so need no cancelling. */
  startedChildrenBefore: number,
): DropEffects {
  const cancelledActivities: ActivityId[] = [];
  const orchestratorItems: OrchestratorItem[] = [];
  for (const family of FAMILIES) {
    for (const id of ascendingNew(dropped[family], index)) {
      const child = index.child(id);
      writer.append(CANCEL_EVENT[family], { reason: DROPPED_FUTURE }, id);
      if (family === "activity")
        cancelledActivities.push({ instanceId, executionId, activityId: Number(id) });
      if (child !== undefined && id < startedChildrenBefore) {
        const instance = childInstanceId(instanceId, child.instance);
        orchestratorItems.push({
          kind: "CancelInstance",
          instance,
          reason: "parent dropped sub-orchestration future",
        });
      }
    }
  }
  return { cancelledActivities, orchestratorItems };
}

function ascendingNew(ids: ReadonlySet<U64>, index: HistoryIndex): U64[] {
  return [...ids].filter((id) => !index.isDropRecorded(id)).sort((a, b) => (a < b ? -1 : 1));
}
