/** The times at which timers and starts are due: after a duration, at an instant, or at a time of a cron expression. */
import { types } from "node:util";
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { checkOptions, type OptionList, optionList, shown } from "../options/option-list.ts";
import { type CronTime, cronTimeAfter } from "./cron.ts";
import { type Duration, dueMs } from "./duration.ts";

/** An instant: a date, or ms since the epoch. */
export interface UntilTime {
  readonly until: Date | number;
}

/** The time at which a timer is due. */
export type TimerTime = Duration | Date | UntilTime | CronTime;

const UNTIL: OptionList = optionList<UntilTime>({ until: true });
const CRON: OptionList = optionList<CronTime>({ cron: true, timezone: true });

/** The last instant that a Date can hold, ms since the epoch. */
const LAST_MS = 8.64e15;

/** Time at which the timer is due, ms since the epoch; `clockMs` is the present of durations, `nowMs` that of the code. */
export function timerDueMs(time: TimerTime, clockMs: number, nowMs: number): number {
  if (hasOwn(time, "until")) return untilMs(time as UntilTime);
  if (!hasOwn(time, "cron") && !hasOwn(time, "timezone"))
    return dueMs(time as Duration | Date, clockMs, "scheduleTimer: the delay");
  checkOptions("scheduleTimer", time as CronTime, CRON);
  return cronTimeAfter(time as CronTime, nowMs);
}

/** Time of a start with `after`, ms since the epoch; `undefined` for one that begins at once. */
export function startMs(what: string, after: Duration | Date, nowMs: number): number | undefined {
  const atMs = dueMs(after, nowMs, what);
  return atMs > nowMs ? Math.min(Math.trunc(atMs), LAST_MS) : undefined;
}

function untilMs(time: UntilTime): number {
  checkOptions("scheduleTimer", time, UNTIL);
  const { until } = time;
  const ms: unknown = types.isDate(until) ? until.getTime() : until;
  if (typeof ms === "number" && ms <= LAST_MS && Number.isFinite(ms)) return Math.max(0, Math.trunc(ms));
  const given = types.isDate(until) ? "an invalid Date" : shown(until);
  throw new InvalidInputError(
    `scheduleTimer: until must be a Date, or milliseconds since 1970 up to the last that a Date can hold; got ${given}`,
  );
}

function hasOwn(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}
