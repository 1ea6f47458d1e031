/**
 * Times of cron expressions, by croner: a local time that a change to summer time skips is due right after the gap, one
 * that comes twice is due at its first occurrence. An expression with a wildcard or a step in its hours is due in every
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

/** Finds the first time after an instant, in ms since the epoch; `undefined` if there is none. */
export type NextTime = (afterMs: number) => number | undefined;

/** The first time of the expression after `afterMs`, ms since the epoch. Throws InvalidInputError where there is none. */
export function cronTimeAfter(time: CronTime, afterMs: number): number {
  const next = cronTimes("scheduleTimer", time)(afterMs);
  if (next !== undefined) return next;
  throw new InvalidInputError(`scheduleTimer: the cron expression "${time.cron}" has no time to come`);
}

/** Reads an expression. InvalidInputError, which begins with `where`, for what is none, and for an unknown time zone. */
export function cronTimes(where: string, { cron, timezone = "UTC" }: CronTime): NextTime {
  // The library takes a text with a colon for a date.
  if (typeof cron !== "string" || cron.includes(":"))
    throw new InvalidInputError(
      `${where}: cron must be an expression such as "0 3 * * *"; got ${shown(cron)}`,
    );
  checkTimezone(where, timezone);
  try {
    const times = new Cron(fixedTimes(cron), {
      // The library asks Intl about each time of a zone; an offset is added up.
      ...(timezone === "UTC" ? { utcOffset: 0 } : { timezone }),
      paused: true,
      mode: "5-or-6-parts",
      fixedTimeRule: "no-wildcard",
    });
    return (afterMs) => times.nextRun(new Date(afterMs))?.getTime();
  } catch (error) {
    throw new InvalidInputError(`${where}: cron "${cron}": ${thrownMessage(error)}`, { cause: error });
  }
}

/**
 * The library takes an expression for one of fixed times only without wildcards and steps. Where the hours are fixed, the
 * minutes and seconds become lists.
 */
function fixedTimes(cron: string): string {
  const fields = cron.trim().split(/\s+/);
  const times = fields.length - 3;
  const hours = fields[times - 1] ?? "";
  if (times < 2 || times > 3 || /[*?]/.test(hours)) return cron;
  return fields
    .map((field, place) => (place < times ? listed(field, place === times - 1 ? 23 : 59) : field))
    .join(" ");
}

const STEPS = /^(?:[*?]|(\d+)(?:-(\d+))?)\/(\d+)$/;

function listed(field: string, last: number): string {
  return field
    .split(",")
    .map((part) => {
      if (part === "*" || part === "?") return `0-${last}`;
      const [, from = "0", to = String(last), by = "0"] = STEPS.exec(part) ?? [];
      const [first, end, step] = [Number(from), Number(to), Number(by)];
      if (step === 0 || first > end || end > last) return part;
      return Array.from({ length: Math.floor((end - first) / step) + 1 }, (_, n) => first + n * step).join();
    })
    .join();
}

/** Time zones that were looked up: a look takes as long as an expression. */
const KNOWN_ZONES = new Set<unknown>();

function checkTimezone(where: string, timezone: unknown): void {
  if (KNOWN_ZONES.has(timezone)) return;
  try {
    if (typeof timezone === "string" && new Intl.DateTimeFormat("en", { timeZone: timezone })) {
      KNOWN_ZONES.add(timezone);
      return;
    }
  } catch {
    // It is no name of a time zone.
  }
  throw new InvalidInputError(
    `${where}: timezone must be the IANA name of one, such as "Europe/Berlin"; got ${shown(timezone)}`,
  );
}
