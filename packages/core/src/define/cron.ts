/**
 * Times of cron expressions, by croner: a local time that a change to summer time skips is due right after the gap, one
 * that comes twice is due at its first occurrence. An expression with a wildcard or a step in its times is due in every
 * real hour, and not in the gap.
 */
import { Cron } from "croner";
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { thrownMessage } from "../errors/thrown-value.ts";
import { shown } from "../options/option-list.ts";

/** The next time of a cron expression after `ctx.now()`. */
export interface CronTime {
  /** Five fields, or six with seconds first; names, ranges, steps, `L` and `#`. A day of the month or one of the week. */
  readonly cron: string;
  /** IANA name of the time zone in which the expression is read, such as "Europe/Berlin"; UTC by default. */
  readonly timezone?: string;
}

/** The first time of the expression after `afterMs`, ms since the epoch. Throws InvalidInputError where there is none. */
export function cronTimeAfter({ cron, timezone = "UTC" }: CronTime, afterMs: number): number {
  // The library takes a text with a colon for a date.
  if (typeof cron !== "string" || cron.includes(":"))
    throw new InvalidInputError(
      `scheduleTimer: cron must be an expression such as "0 3 * * *"; got ${shown(cron)}`,
    );
  checkTimezone(timezone);
  const next = nextTime(cron, timezone, afterMs);
  if (next !== null) return next.getTime();
  throw new InvalidInputError(`scheduleTimer: the cron expression "${cron}" has no time to come`);
}

function nextTime(cron: string, timezone: string, afterMs: number): Date | null {
  try {
    return new Cron(cron, {
      timezone,
      paused: true,
      mode: "5-or-6-parts",
      fixedTimeRule: "no-wildcard",
    }).nextRun(new Date(afterMs));
  } catch (error) {
    throw new InvalidInputError(`scheduleTimer: cron "${cron}": ${thrownMessage(error)}`, { cause: error });
  }
}

function checkTimezone(timezone: unknown): void {
  try {
    if (typeof timezone === "string" && new Intl.DateTimeFormat("en", { timeZone: timezone })) return;
  } catch {
    // It is no name of a time zone.
  }
  throw new InvalidInputError(
    `scheduleTimer: timezone must be the IANA name of one, such as "Europe/Berlin"; got ${shown(timezone)}`,
  );
}
