/** Definitions of schedules: when an orchestration is started, and what happens where that cannot be done in time. */
import { types } from "node:util";
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { wholeNumberFault } from "../options/option-kinds.ts";
import { type OptionList, optionFault, optionList, shown } from "../options/option-list.ts";
import { scheduleInstance } from "../wire/scheduled.ts";
import { utf8Bytes } from "../wire/utf8.ts";
import { type CronTime, cronTimes } from "./cron.ts";
import type { RequiredInput } from "./durable-call-options.ts";
import { type Duration, durationMs } from "./duration.ts";
import { MAX_INSTANCE_ID_BYTES, nameFault } from "./limits.ts";
import { calleeName } from "./named.ts";
import type { AnyOrchestration, InputOf } from "./orchestration-context.ts";
import { validate } from "./standard-schema.ts";

/** Effect of a due time while an earlier run of the schedule has not ended. */
export type Overlap = "skip" | "queue" | "cancel" | "allow";

/** The due times of a downtime that are run when it is over. */
export type CatchUp = "none" | "last" | "all" | { readonly within: Duration };

/** The due times: exactly one of the three. */
export type ScheduleTimes =
  | (CronTime & { readonly every?: undefined; readonly offset?: undefined; readonly at?: undefined })
  | {
      /** Counted from 1970, so that all processes agree; a second or more. */
      readonly every: Duration;
      /** Moves all due times. */
      readonly offset?: Duration;
      readonly cron?: undefined;
      readonly timezone?: undefined;
      readonly at?: undefined;
    }
  | {
      /** Dates, or ms since the epoch, in any order. Those that are past when the schedule is made never run. */
      readonly at: readonly (Date | number)[];
      readonly cron?: undefined;
      readonly timezone?: undefined;
      readonly every?: undefined;
      readonly offset?: undefined;
    };

/** The rules of a schedule for its due times. */
export interface ScheduleRules {
  /**
   * `"skip"`, the default: the due time does not run. `"queue"`: it runs afterwards; at most ten wait. `"cancel"`: the
   * earlier run is cancelled. `"allow"`: both run.
   */
  readonly overlap?: Overlap;
  /**
   * `"last"`, the default: the last missed due time runs. `"all"`: all of them, one after the other, whatever `overlap`
   * says. `{ within }`: those that are at most so long ago. `"none"`: none. Due times of a pause never run.
   */
  readonly catchUp?: CatchUp;
  /** Each run begins up to so much later, always as much for one due time. */
  readonly jitter?: Duration;
  /** Decides between different definitions of one name: the highest wins. Without it, the one that was first seen last. */
  readonly revision?: number;
  /** Who applies the schedule, for `prune`; `"default"` by default. */
  readonly owner?: string;
  /** Pauses the schedule when so many runs in a row have failed. */
  readonly pauseOnFailure?: number;
}

/** The orchestration that a schedule starts, and its input. */
export type ScheduledStart<O extends AnyOrchestration | string> = {
  readonly orchestration: O;
} & RequiredInput<InputOf<O>> & { readonly input?: InputOf<O> };

/** A schedule as code gives it, without its name. */
export type ScheduleOptions<O extends AnyOrchestration | string> = ScheduleTimes &
  ScheduleRules &
  ScheduledStart<O>;

/** A schedule: the value of `schedule(name, …)`. */
export type Schedule = {
  readonly name: string;
  readonly orchestration: AnyOrchestration | string;
  readonly input?: unknown;
} & ScheduleTimes &
  ScheduleRules;

const OPTIONS: OptionList = optionList<
  Omit<Schedule, "name"> & CronTime & Record<"every" | "offset" | "at", unknown>
>({
  cron: true,
  timezone: true,
  every: true,
  offset: true,
  at: true,
  overlap: true,
  catchUp: true,
  jitter: true,
  orchestration: true,
  input: true,
  revision: true,
  owner: true,
  pauseOnFailure: true,
});

/**
 * Defines a schedule, which `Runtime.start` and `client.schedules.apply` take. InvalidInputError for a definition that is
 * none: a bad expression, time zone or choice, or not exactly one of `cron`, `every` and `at`.
 *
 * @example
 * ```ts
 * const rules = { cron: "0 3 * * *", timezone: "Europe/Berlin", overlap: "skip" } as const;
 * const nightly = schedule("nightly", { ...rules, orchestration: checkout, input: order });
 * await Runtime.start({ provider, orchestrations: [checkout], activities: [charge], schedules: [nightly] });
 * ```
 */
export function schedule<O extends AnyOrchestration | string>(
  name: string,
  definition: ScheduleOptions<O>,
): Schedule {
  const given = { ...(definition as ScheduleOptions<string>), name } as Schedule;
  checkSchedule("schedule", given);
  return Object.freeze(given);
}

/** InvalidInputError for what is no definition of a schedule. */
export function checkSchedule(where: string, given: Schedule): void {
  if (typeof given !== "object" || given === null)
    throw new InvalidInputError(
      `${where}: a schedule is what schedule(name, …) returns; got ${shown(given)}`,
    );
  const { name, ...definition } = given;
  checkScheduleName(where, name);
  const of = `${where}: schedule "${name}"`;
  refuse(optionFault(of, definition, OPTIONS));
  checkTimes(of, given);
  checkRules(of, given);
  const { orchestration, input } = given;
  const callee = calleeName(of, "orchestration", orchestration);
  if (typeof orchestration !== "string" && orchestration.schema !== undefined)
    validate(orchestration.schema, input, `input of orchestration "${callee}"`);
}

/** InvalidInputError for what is no name of a schedule. */
export function checkScheduleName(where: string, name: unknown): asserts name is string {
  if (typeof name !== "string" || name === "")
    throw new InvalidInputError(`${where}: the name of a schedule is a text; got ${shown(name)}`);
  refuse(nameFault(`${where}: the name of a schedule`, name));
  if (utf8Bytes(scheduleInstance(name)) <= MAX_INSTANCE_ID_BYTES) return;
  throw new InvalidInputError(`${where}: the name of a schedule is too long; give a shorter one`);
}

function checkTimes(where: string, { cron, timezone, every, offset, at }: Schedule): void {
  const given = [cron, every, at].filter((each) => each !== undefined);
  if (given.length !== 1)
    throw new InvalidInputError(`${where}: give exactly one of cron, every and at; got ${given.length}`);
  if (cron !== undefined) {
    const next = cronTimes(where, { cron, ...(timezone !== undefined && { timezone }) });
    if (next(0) === undefined)
      throw new InvalidInputError(`${where}: cron "${cron}" has no time; give days that its months have`);
  } else if (timezone !== undefined) throw new InvalidInputError(`${where}: timezone belongs to cron`);
  if (every === undefined && offset !== undefined)
    throw new InvalidInputError(`${where}: offset belongs to every`);
  if (every !== undefined && durationMs(every, `${where}: every`) < SECOND_MS)
    throw new InvalidInputError(`${where}: every must be a second or more`);
  if (offset !== undefined) durationMs(offset, `${where}: offset`);
  if (at === undefined) return;
  if (!Array.isArray(at)) throw new InvalidInputError(`${where}: at must be an array; got ${shown(at)}`);
  for (const instant of at) instantMs(`${where}: at`, instant);
}

const SECOND_MS = 1_000;
/** The end of the year 9999, up to which a year has four digits. */
export const LAST_MS = 253_402_300_799_999;

/** An instant as ms since the epoch. InvalidInputError for what is none. */
export function instantMs(what: string, instant: unknown): number {
  const ms: unknown = types.isDate(instant) ? instant.getTime() : instant;
  if (typeof ms === "number" && ms >= 0 && ms <= LAST_MS) return Math.trunc(ms);
  throw new InvalidInputError(`${what} must be a Date, or ms since 1970; got ${shown(instant)}`);
}

const OVERLAPS: readonly unknown[] = ["skip", "queue", "cancel", "allow"] satisfies Overlap[];
const CATCH_UPS: readonly unknown[] = ["none", "last", "all"] satisfies CatchUp[];
const WITHIN: OptionList = new Set(["within"]);

function checkRules(where: string, rules: Schedule): void {
  const { overlap = "skip", catchUp = "last", jitter, revision, owner, pauseOnFailure } = rules;
  if (!OVERLAPS.includes(overlap))
    refuse(`${where}: overlap must be "skip", "queue", "cancel" or "allow"; got ${shown(overlap)}`);
  if (typeof catchUp === "object" && catchUp !== null) {
    refuse(optionFault(`${where}: catchUp`, catchUp, WITHIN));
    durationMs(catchUp.within, `${where}: catchUp.within`);
  } else if (!CATCH_UPS.includes(catchUp)) {
    refuse(`${where}: catchUp must be "none", "last", "all" or { within }; got ${shown(catchUp)}`);
  }
  if (jitter !== undefined) durationMs(jitter, `${where}: jitter`);
  if (revision !== undefined && !Number.isFinite(revision))
    refuse(`${where}: revision must be a number; got ${shown(revision)}`);
  refuse(ownerFault(where, owner) ?? wholeNumberFault(`${where}: pauseOnFailure`, pauseOnFailure, 1));
}

/** The fault of an owner; `undefined` if it is none. */
export function ownerFault(where: string, owner: unknown): string | undefined {
  if (owner === undefined || (typeof owner === "string" && owner !== ""))
    return nameFault(`${where}: owner`, owner);
  return `${where}: owner must be a text; got ${shown(owner)}`;
}

function refuse(fault: string | undefined): void {
  if (fault !== undefined) throw new InvalidInputError(fault);
}
