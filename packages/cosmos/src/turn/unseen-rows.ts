/**
 * Messages that may begin a turn although others were not looked for: their order among other messages does not
 * matter. Events and queue messages are in the order in which they were sent, so older ones come first, and an older
 * one of another process might be there.
 */
import type { OrchestratorItem } from "@duroxide-ts/core";
import { type MessageRow, sortQueue } from "../schema/rows.ts";
import { MAX_MESSAGES } from "./partition.ts";

const STAND_ALONE: readonly OrchestratorItem["kind"][] = [
  "ActivityCompleted",
  "ActivityFailed",
  "ContinueAsNew",
  "SubOrchCompleted",
  "SubOrchFailed",
  "TimerFired",
];

/** Those of the given ones that are due, oldest first; none where one of them must not begin a turn unseen. */
export function unseenRows(rows: readonly MessageRow[], nowMs: number): readonly MessageRow[] {
  const due = sortQueue(rows.filter(({ visibleAtMs }) => visibleAtMs <= nowMs));
  return due.every(({ item }) => STAND_ALONE.includes(item.kind)) ? due.slice(0, MAX_MESSAGES) : [];
}
