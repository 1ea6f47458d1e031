/** Durations in options: milliseconds, or an object with units. */
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { checkOptions, type OptionList, optionList, shown } from "../options/option-list.ts";

/** Milliseconds, or units that are summed. Zero or more; fractions of a millisecond are cut off. */
export type Duration =
  | number
  | {
      readonly days?: number;
      readonly hours?: number;
      readonly minutes?: number;
      readonly seconds?: number;
      readonly ms?: number;
    };

const UNITS: OptionList = optionList<Exclude<Duration, number>>({
  days: true,
  hours: true,
  minutes: true,
  seconds: true,
  ms: true,
});

/** Whole milliseconds, fractions cut off. Throws for a negative or infinite duration; `what` names it in the error. */
export function durationMs(duration: Duration, what = "a duration"): number {
  const ms = typeof duration === "number" ? duration : sumUnits(duration, what);
  if (!Number.isFinite(ms) || ms < 0) {
    throw new InvalidInputError(
      `${what} must be a number of milliseconds, or units, of zero or more; got ${described(duration)}`,
    );
  }
  return Math.min(Math.trunc(ms), Number.MAX_SAFE_INTEGER);
}

/** NaN if invalid, because a timer with a misspelt unit must not fire at once. */
function sumUnits(duration: Exclude<Duration, number>, what: string): number {
  if (typeof duration !== "object" || duration === null) return Number.NaN;
  checkOptions(what, duration, UNITS);
  for (const name in duration) if (!isAmount(Reflect.get(duration, name))) return Number.NaN;
  const { days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 } = duration;
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms;
}

/** The type does not bind JavaScript, where a text would be appended to the sum and not added. */
function isAmount(value: unknown): boolean {
  return value === undefined || typeof value === "number";
}

/** Units as JSON, with the numbers that JSON cannot write as text. */
function described(duration: unknown): string {
  if (typeof duration === "bigint") return `${duration}n`;
  if (typeof duration !== "object" || duration === null || Array.isArray(duration)) return shown(duration);
  const units = Object.entries(duration).map(([name, value]: [string, unknown]) => [name, writable(value)]);
  return JSON.stringify(Object.fromEntries(units));
}

function writable(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "string" || Number.isFinite(value) ? value : shown(value);
}
