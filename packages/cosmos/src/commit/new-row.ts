/** A row of one of the two queues before it is written, with its place: every row that the provider writes. */
import type { NewRow } from "../documents/rows.ts";
import type { Service } from "../service/service.ts";

/** What is not given is now. */
export interface RowTimes {
  readonly visibleAtMs?: number | undefined;
  readonly enqueuedAtMs?: number | undefined;
  /** Where it is neither. */
  readonly nowMs: number;
}

export function newRow<Item>(
  service: Service,
  instanceId: string,
  item: Item,
  { nowMs, visibleAtMs = nowMs, enqueuedAtMs = nowMs }: RowTimes,
): NewRow<Item> {
  const { random } = service;
  return { id: random.uuid(), instanceId, item, visibleAtMs, enqueuedAtMs, sequence: service.nextSequence() };
}
