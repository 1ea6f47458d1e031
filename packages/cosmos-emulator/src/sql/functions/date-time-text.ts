/**
 * Points in time as the query language writes them: `2020-01-02T03:04:05.1234567Z`. Calculated with as ticks
 * of 100 ns since 1970, which need 64 bits.
 */
import type { Value } from "../values/value.ts";

export type Ticks = bigint;

export const TICKS_PER_MS = 10_000n;

const FORM = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,7}))?)?(?:Z|\+00:00)?)?$/;

/** The ticks of a text in that form; the time, its seconds and their fraction, and the Z may be left out (assumed). */
export function parseDateTime(text: Value): Ticks | undefined {
  const match = typeof text === "string" ? FORM.exec(text) : null;
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const fraction = BigInt((match[7] ?? "").padEnd(7, "0"));
  const ms = utcMs(year ?? 0, month ?? 0, day ?? 0, hour ?? 0, minute ?? 0, second ?? 0);
  return ms === undefined ? undefined : BigInt(ms) * TICKS_PER_MS + fraction;
}

/** Milliseconds since 1970; undefined for a 30th of February and the like. */
export function utcMs(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, 0);
  const same =
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second;
  return same ? date.getTime() : undefined;
}

/** The text, with seven digits of a second; undefined for years beyond four digits. */
export function formatDateTime(ticks: Ticks): string | undefined {
  const date = dateOf(ticks);
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) return undefined;
  const seconds = date.toISOString().slice(0, 19);
  const fraction = modulo(ticks, 10_000_000n).toString().padStart(7, "0");
  return `${seconds}.${fraction}Z`;
}

/** The date at the millisecond that the ticks fall into. */
export function dateOf(ticks: Ticks): Date {
  return new Date(Number(divideDown(ticks, TICKS_PER_MS)));
}

/** Division that rounds down, also for times before 1970. */
export function divideDown(dividend: bigint, divisor: bigint): bigint {
  return (dividend - modulo(dividend, divisor)) / divisor;
}

/** The rest of that division, never negative. */
export function modulo(dividend: bigint, divisor: bigint): bigint {
  return ((dividend % divisor) + divisor) % divisor;
}
