/** Durations in options: milliseconds, or an object with units. Instants as people and other programs write them. */

import type { Duration } from "../contract/duration.ts";
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { hasToJson, opaqueReason } from "../errors/opaque-values.ts";
import { types } from "../host/node-types.ts";
import { checkOptions, type OptionList, optionList, shown } from "../options/option-list.ts";

export type { Duration } from "../contract/duration.ts";

const UNITS: OptionList = optionList<Exclude<Duration, number>>({
  days: true,
  hours: true,
  minutes: true,
  seconds: true,
  ms: true,
});

/**
 * Whole milliseconds, fractions cut off. Throws for a negative or infinite duration, and for anything but a number or an
 * object with units; `what` names it in the error.
 */
export function durationMs(duration: Duration, what = "a duration"): number {
  const ms = typeof duration === "number" ? duration : sumUnits(duration, what);
  if (!Number.isFinite(ms) || ms < 0) {
    throw new InvalidInputError(
      `${what} must be a number of milliseconds, or units such as { seconds: 5 }, of zero or more; got ${described(duration)}`,
    );
  }
  return Math.min(Math.trunc(ms), Number.MAX_SAFE_INTEGER);
}

/** The end of a wait, ms since the epoch: after a duration, or at a date, which may have passed. */
export function dueMs(until: Duration | Date, nowMs: number, what: string): number {
  if (!types.isDate(until)) return Math.min(nowMs + durationMs(until, what), Number.MAX_SAFE_INTEGER);
  const ms = until.getTime();
  if (Number.isNaN(ms)) throw new InvalidInputError(`${what} is an invalid Date; give one that can be read`);
  return Math.max(ms, 0);
}

const INSTANT = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/**
 * The instant of a text such as `2026-05-01T10:00Z`, ms since the epoch; that of a day is its begin in UTC. `undefined` for
 * any other text, for a time without a zone, and for February 30, which JavaScript takes for March 2.
 */
export function instantMs(text: string): number | undefined {
  const [, day] = INSTANT.exec(text) ?? [];
  const midnightMs = Date.parse(`${day}T00:00Z`);
  if (day === undefined || Number.isNaN(midnightMs)) return undefined;
  if (!new Date(midnightMs).toISOString().startsWith(day)) return undefined;
  const ms = Date.parse(text.replace(" ", "T"));
  return Number.isNaN(ms) ? undefined : ms;
}

/** NaN if invalid, because a timer with a misspelt unit, or with none, must not fire at once. */
function sumUnits(duration: Exclude<Duration, number>, what: string): number {
  if (typeof duration !== "object" || duration === null || hasFieldsElsewhere(duration)) return Number.NaN;
  checkOptions(what, duration, UNITS);
  const given = Object.values(duration);
  if (!given.every(isAmount) || given.every((amount) => amount === undefined)) return Number.NaN;
  const { days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 } = duration;
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms;
}

/** Dates, maps and the durations of other libraries have no units among their own properties, or other units. */
function hasFieldsElsewhere(duration: object): boolean {
  return Array.isArray(duration) || opaqueReason(duration) !== undefined || hasToJson(duration);
}

/** The type does not bind JavaScript, where a text would be appended to the sum and not added. */
function isAmount(value: unknown): boolean {
  return value === undefined || typeof value === "number";
}

/** Units as JSON, with the numbers that JSON cannot write as text. */
function described(duration: unknown): string {
  if (typeof duration === "bigint") return `${duration}n`;
  if (typeof duration !== "object" || duration === null || Array.isArray(duration)) return shown(duration);
  if (types.isDate(duration)) return "a Date; give the time until then (scheduleTimer takes a Date)";
  if (hasFieldsElsewhere(duration)) return `a ${Object.prototype.toString.call(duration).slice(8, -1)}`;
  const units = Object.entries(duration).map(([name, value]: [string, unknown]) => [name, writable(value)]);
  return JSON.stringify(Object.fromEntries(units));
}

function writable(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "string" || Number.isFinite(value) ? value : shown(value);
}
