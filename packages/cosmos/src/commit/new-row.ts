/** Makes every row of the two queues that the provider writes, with its place in the queue. */
import { timerIdOf, type WorkItem } from "@duroxide-ts/core/stores";
import { timerRowId } from "../documents/ids.ts";
import type { NewRow } from "../documents/rows.ts";
import type { Parts } from "../memory/parts.ts";

/** The default of each time is now. */
export interface RowTimes {
  readonly visibleAtMs?: number | undefined;
  readonly enqueuedAtMs?: number | undefined;
  /** Current time, where it is neither. */
  readonly nowMs: number;
}

export function newRow<Item extends WorkItem>(
  parts: Parts,
  instanceId: string,
  item: Item,
  { nowMs, visibleAtMs = nowMs, enqueuedAtMs = nowMs }: RowTimes,
): NewRow<Item> {
  const { random } = parts.service;
  const timer = item.kind === "ActivityExecute" ? undefined : timerIdOf(item);
  const id = timer === undefined ? random.uuid() : timerRowId(timer);
  return { id, instanceId, item, visibleAtMs, enqueuedAtMs, sequence: parts.service.nextSequence() };
}
