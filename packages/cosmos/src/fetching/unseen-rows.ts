/**
 * Messages in memory that may begin a turn without a query for others, because their order among other messages does not
 * matter. Events and queue messages are processed in the order in which they were sent, and another process may have
 * stored an older one. memory/turn-reads.ts limits how often in a row the query is left out.
 */
import { type OrchestratorItem, SCHEDULE_ORCHESTRATION } from "@duroxide-ts/core/stores";
import type { MessageRow } from "../documents/rows.ts";
import type { Known, KnownMessage } from "../memory/instances.ts";
import { selectBatch } from "./select-batch.ts";

const STAND_ALONE: readonly OrchestratorItem["kind"][] = [
  "ActivityCompleted",
  "ActivityFailed",
  "ContinueAsNew",
  "SubOrchCompleted",
  "SubOrchFailed",
  "TimerFired",
];

/** The due rows by order time; none if one of them requires the query. */
export function unseenRows(
  known: Known | undefined,
  rows: readonly KnownMessage[],
  nowMs: number,
): readonly MessageRow[] {
  const due = rows.filter(({ visibleAtMs }) => visibleAtMs <= nowMs);
  if (!due.every(({ item, mayBeConsumed }) => mayBeConsumed !== true && STAND_ALONE.includes(item.kind)))
    return [];
  // The turn of a schedule asks for what its messages say, so their order does not matter (docs/decisions/schedules.md).
  const isSchedule = known?.instance?.document.orchestrationName === SCHEDULE_ORCHESTRATION;
  const hasTimer = !isSchedule && due.some(({ item }) => item.kind === "TimerFired");
  return known?.reads.mayUseMemory(nowMs, hasTimer) === true ? selectBatch(due) : [];
}
