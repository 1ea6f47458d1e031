import type { Instance } from "../schema/instance.ts";
import type { MessageRow } from "../schema/rows.ts";
import type { Lock } from "../store/held.ts";

/** An instance that is locked, and what its holder works on. */
export interface HeldTurn extends Lock {
  /** As the lock wrote it. */
  readonly instance: Instance;
  /** What was taken, with this attempt counted. */
  readonly rows: readonly TakenRow[];
  /** When the oldest of them became visible, ms since the epoch. */
  readonly waitingSinceMs: number;
}

/** A message that the holder of a lock has taken; whoever finds the lock by its token knows the id only. */
export interface TakenRow extends Pick<MessageRow, "id" | "attempts"> {}

/** A lock with the messages that it took. */
export interface LockedTurn {
  readonly turn: HeldTurn;
  readonly rows: readonly MessageRow[];
}
