/** A schedule as clients see it. */
import type { Duration } from "../../define/duration.ts";
import type { CatchUp, Overlap } from "../../define/schedule.ts";
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import { ScheduleTurn } from "../../schedules/schedule-turn.ts";
import type { ScheduleChange, StoredSchedule } from "../../schedules/stored-schedule.ts";

/** A schedule. Times are ms since the epoch. */
export interface ScheduleInfo {
  readonly name: string;
  readonly cron?: string;
  readonly timezone?: string;
  readonly every?: Duration;
  readonly offset?: Duration;
  readonly at?: readonly number[];
  readonly overlap: Overlap;
  readonly catchUp: CatchUp;
  readonly jitter?: Duration;
  /** The name of the orchestration. */
  readonly orchestration: string;
  readonly input?: unknown;
  readonly revision?: number;
  readonly owner: string;
  readonly pauseOnFailure?: number;
  /** The next due time that is not decided yet: past where no process runs. Absent while it is paused, and at its end. */
  readonly nextDueMs?: number;
  /** The last due time, also where `overlap` left it out. */
  readonly lastDueMs?: number;
  readonly paused?: { readonly sinceMs: number; readonly by?: string; readonly reason?: string };
  /** The last due time whose run could not be started. */
  readonly lastFailure?: { readonly dueMs: number; readonly message: string };
  /** Due times that wait for the end of a run. */
  readonly queued: readonly number[];
  readonly createdAtMs: number;
  /** The last twenty changes, the newest last. */
  readonly changes: readonly ScheduleChange[];
}

export function scheduleInfo(
  name: string,
  stored: StoredSchedule,
  codec: Pick<PayloadCodec, "decode">,
): ScheduleInfo {
  const { definition, lastDueMs, paused, lastFailure, queued, createdAtMs, changes } = stored;
  const { input: text, ...rules } = definition;
  const input = text === undefined ? null : codec.decode(text);
  const nextDueMs = new ScheduleTurn(name, stored, 0, 0).nextDueMs;
  return {
    name,
    ...rules,
    ...(input !== null && input !== undefined && { input }),
    ...(nextDueMs !== undefined && { nextDueMs }),
    ...(lastDueMs !== undefined && { lastDueMs }),
    ...(paused !== undefined && { paused }),
    ...(lastFailure !== undefined && { lastFailure }),
    queued,
    createdAtMs,
    changes,
  };
}
