/** The field by which an instance knows the due time that it is for (docs/decisions/schedules.md). */
import type { U64 } from "./integer.ts";
import { struct } from "./struct.ts";
import { type Codec, flag, optional, text, u64 } from "./values.ts";

/** The due time that an instance is for. */
export interface ScheduledRun {
  /** The name of the schedule. */
  readonly name: string;
  /** Ms since the epoch. */
  readonly due_ms: U64;
  /** Set if the end of the run is told to the schedule. */
  readonly tells?: boolean;
}

export const scheduledRun: Codec<ScheduledRun> = struct<ScheduledRun>({
  name: text,
  due_ms: u64,
  tells: optional(flag),
});
