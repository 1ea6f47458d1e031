/**
 * Messages that may begin a turn although others were not looked for: their order among other messages does not
 * matter. Events and queue messages are in the order in which they were sent, so older ones come first, and an older
 * one of another process might be there. How often in a row that may be: store/looks.ts.
 */
import type { OrchestratorItem } from "@duroxide-ts/core/stores";
import type { MessageRow } from "../schema/rows.ts";
import type { Known } from "../store/knowledge.ts";
import { selectBatch } from "./select-batch.ts";

const STAND_ALONE: readonly OrchestratorItem["kind"][] = [
  "ActivityCompleted",
  "ActivityFailed",
  "ContinueAsNew",
  "SubOrchCompleted",
  "SubOrchFailed",
  "TimerFired",
];

/** Those of the given ones that are due, by order time; none where one of them must not begin a turn unseen. */
export function unseenRows(
  known: Known | undefined,
  rows: readonly MessageRow[],
  nowMs: number,
): readonly MessageRow[] {
  const due = rows.filter(({ visibleAtMs }) => visibleAtMs <= nowMs);
  if (!due.every(({ item }) => STAND_ALONE.includes(item.kind))) return [];
  const hasTimer = due.some(({ item }) => item.kind === "TimerFired");
  return known?.looks.mayGoOn(nowMs, hasTimer) === true ? selectBatch(due) : [];
}
