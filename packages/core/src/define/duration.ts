/** Durations in options: milliseconds, or the units spelled out. */
import { InvalidInputError } from "../errors/duroxide-error.ts";

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

/** Whole milliseconds, fractions cut off. A negative or not finite duration is refused. */
export function durationMs(duration: Duration): number {
  const ms = typeof duration === "number" ? duration : sumUnits(duration);
  if (!Number.isFinite(ms) || ms < 0) {
    throw new InvalidInputError(
      `a duration must be a number of milliseconds, or units, of zero or more; got ${JSON.stringify(duration)}`,
    );
  }
  return Math.min(Math.trunc(ms), Number.MAX_SAFE_INTEGER);
}

/** NaN for what is no duration: a misspelt unit must not fire at once. */
function sumUnits(duration: Exclude<Duration, number>): number {
  if (typeof duration !== "object" || duration === null) return Number.NaN;
  const { days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0, ...unknown } = duration;
  if (Object.keys(unknown).length > 0) return Number.NaN;
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms;
}
