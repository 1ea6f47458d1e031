/** A schedule as clients see it. */
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import { ScheduleTurn } from "../../schedules/schedule-turn.ts";
import type {
  ScheduleDefinition,
  ScheduleProgress,
  StoredSchedule,
} from "../../schedules/stored-schedule.ts";

/** A schedule. Times are ms since the epoch. */
export interface ScheduleInfo extends ScheduleDefinition, ScheduleProgress {
  readonly name: string;
  readonly input?: unknown;
  /** The next due time that is not decided yet: past where no process runs. Absent while it is paused, and at its end. */
  readonly nextDueMs?: number;
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
