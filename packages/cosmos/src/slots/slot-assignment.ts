/**
 * Which part of a queue a process looks after. Slots keep processes out of each other's way, and no more: locks and
 * ETags make every outcome right, whoever looks (hazard W63).
 */
import { DISPATCH_SLOTS } from "../schema/dispatch-slot.ts";

export type QueueName = "orch_queue" | "worker_queue";

export interface SlotAssignment {
  /** Asked before every question, so that the answer may change. Slots are numbers from 0 to 255. */
  slotsOf(queue: QueueName): ReadonlySet<number>;
}

const ALL: ReadonlySet<number> = new Set(Array.from({ length: DISPATCH_SLOTS }, (_, slot) => slot));

/**
 * Every slot, whatever the number of dispatchers: those of one process share one list of candidates, so there is
 * nothing to divide between them, and no slot can be left out.
 */
export const everySlot: SlotAssignment = { slotsOf: () => ALL };

/** A condition on `@slots`; nothing where it would hold for every row. */
export function slotCondition(slots: ReadonlySet<number>): string {
  return slots.size === DISPATCH_SLOTS ? "" : " AND ARRAY_CONTAINS(@slots, c.dispatchSlot)";
}
