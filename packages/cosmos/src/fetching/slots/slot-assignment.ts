/**
 * Which part of a queue a process looks after. Slots keep processes out of each other's way, and no more: locks and
 * ETags make every outcome right, whoever looks (hazard W63).
 */
import { DISPATCH_SLOTS } from "../../documents/dispatch-slot.ts";
import { ALONE, type Team } from "./turns.ts";

export type QueueName = "orch_queue" | "worker_queue";

/** Those who ask a queue for the same thing: only they can stand in for each other. */
export interface SlotGroup {
  readonly queue: QueueName;
  /** What is asked for, as a text that is equal where the question is: the versions supported, the tags taken. */
  readonly asks: string;
}

export interface SlotAssignment {
  /**
   * Asked before every question to the store, so that the answer may change; who asks for nothing throughout a lease
   * is taken for somebody who no longer serves. Slots are numbers from 0 to 255. Fewer than all of them say that others
   * serve the rest: a process that finds nothing in its own may look there.
   */
  slotsOf(group: SlotGroup): ReadonlySet<number>;
  /**
   * Those of any group of the queue that was asked for lately, for work that belongs to no group; all of them where
   * none was.
   */
  served(queue: QueueName): ReadonlySet<number>;
  /** This process and the others that ask for the same, as far as it knows of them. */
  team(): Team;
  /** Tells others that this process serves nothing any more. */
  close(): Promise<void>;
}

/** Every slot, in order. */
export const ALL_SLOTS: ReadonlySet<number> = new Set(
  Array.from({ length: DISPATCH_SLOTS }, (_, slot) => slot),
);

/**
 * Every slot, whatever the number of dispatchers: those of one process share one list of candidates, so there is
 * nothing to divide between them, and no slot can be left out.
 */
export const everySlot: SlotAssignment = {
  slotsOf: () => ALL_SLOTS,
  served: () => ALL_SLOTS,
  team: () => ALONE,
  close: async () => {},
};
