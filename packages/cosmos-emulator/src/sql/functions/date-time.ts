/** Functions of points in time that are given to them. Undefined for anything that is no such point. */
import type { Value } from "../values/value.ts";
import { type BuiltIn, define } from "./built-in.ts";
import { type DatePart, parsePart, ticksOf } from "./date-part.ts";
import {
  dateOf,
  divideDown,
  formatDateTime,
  modulo,
  parseDateTime,
  TICKS_PER_MS,
  type Ticks,
  utcMs,
} from "./date-time-text.ts";
import { valueOfInteger } from "./integers.ts";

export const DATE_TIME: readonly BuiltIn[] = [
  define("DATETIMEADD", 3, add),
  define("DATETIMEBIN", [2, 4], bin),
  define("DATETIMEDIFF", 3, difference),
  define("DATETIMEFROMPARTS", [3, 7], fromParts),
  define("DATETIMEPART", 2, (name, text) => {
    const [part, ticks] = [parsePart(name), parseDateTime(text)];
    return part === undefined || ticks === undefined ? undefined : partOf(part, ticks);
  }),
  define("DATETIMETOTICKS", 1, (text) => {
    const ticks = parseDateTime(text);
    return ticks === undefined ? undefined : valueOfInteger(ticks);
  }),
  define("DATETIMETOTIMESTAMP", 1, (text) => {
    const ticks = parseDateTime(text);
    return ticks === undefined ? undefined : Number(divideDown(ticks, TICKS_PER_MS));
  }),
  define("TICKSTODATETIME", 1, (ticks) =>
    typeof ticks === "number" && Number.isInteger(ticks) ? formatDateTime(BigInt(ticks)) : undefined,
  ),
  define("TIMESTAMPTODATETIME", 1, (ms) =>
    isInteger(ms) ? formatDateTime(BigInt(ms) * TICKS_PER_MS) : undefined,
  ),
];

function isInteger(value: Value): value is number {
  return Number.isSafeInteger(value);
}

function add(name: Value, amount: Value, text: Value): Value {
  const [part, ticks] = [parsePart(name), parseDateTime(text)];
  if (part === undefined || ticks === undefined || !isInteger(amount)) return undefined;
  if (part !== "year" && part !== "month") {
    return formatDateTime(ticks + (BigInt(amount) * ticksOf(part).numerator) / ticksOf(part).denominator);
  }
  const months = monthOf(ticks) + amount * (part === "year" ? 12 : 1);
  const date = dateOf(ticks);
  const day = date.getUTCDate();
  // The 31st of a shorter month is its last day.
  const lastDay = new Date(Date.UTC(2000, 0, 1));
  lastDay.setUTCFullYear(Math.floor(months / 12), (months % 12) + 1, 0);
  date.setUTCFullYear(Math.floor(months / 12), months % 12, Math.min(day, lastDay.getUTCDate()));
  return Number.isNaN(date.getTime())
    ? undefined
    : formatDateTime(BigInt(date.getTime()) * TICKS_PER_MS + modulo(ticks, TICKS_PER_MS));
}

/** Months since the year 0. */
function monthOf(ticks: Ticks): number {
  const date = dateOf(ticks);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** How many boundaries of the part lie between the two. */
function difference(name: Value, from: Value, to: Value): Value {
  const [part, start, end] = [parsePart(name), parseDateTime(from), parseDateTime(to)];
  if (part === undefined || start === undefined || end === undefined) return undefined;
  if (part === "year" || part === "month") {
    const unit = part === "year" ? 12 : 1;
    return Math.floor(monthOf(end) / unit) - Math.floor(monthOf(start) / unit);
  }
  const { numerator, denominator } = ticksOf(part);
  const count = (ticks: Ticks): bigint => divideDown(ticks * denominator, numerator);
  return valueOfInteger(count(end) - count(start));
}

/** Rounds down to a multiple of the bin, counted from its start. Years and months have no fixed length. */
function bin(text: Value, name: Value, size: Value = 1, start: Value = "1970-01-01T00:00:00Z"): Value {
  const [ticks, part, origin] = [parseDateTime(text), parsePart(name), parseDateTime(start)];
  const sized = isInteger(size) && size > 0;
  if (ticks === undefined || origin === undefined || !sized || part === "year" || part === "month") {
    return undefined;
  }
  const unit = part && ticksOf(part);
  const length = unit && (BigInt(size) * unit.numerator) / unit.denominator;
  return length ? formatDateTime(ticks - modulo(ticks - origin, length)) : undefined;
}

function fromParts(...parts: readonly Value[]): Value {
  if (!parts.every(isInteger)) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, fraction = 0] = parts;
  const ms = utcMs(year, month, day, hour, minute, second);
  const valid = ms !== undefined && fraction >= 0 && fraction <= 9_999_999;
  return valid ? formatDateTime(BigInt(ms) * TICKS_PER_MS + BigInt(fraction)) : undefined;
}

function partOf(part: DatePart, ticks: Ticks): number {
  const date = dateOf(ticks);
  const fraction = Number(modulo(ticks, 10_000_000n));
  switch (part) {
    case "year":
      return date.getUTCFullYear();
    case "month":
      return date.getUTCMonth() + 1;
    case "day":
      return date.getUTCDate();
    case "hour":
      return date.getUTCHours();
    case "minute":
      return date.getUTCMinutes();
    case "second":
      return date.getUTCSeconds();
    case "millisecond":
      return Math.floor(fraction / 10_000);
    case "microsecond":
      return Math.floor(fraction / 10);
    case "nanosecond":
      return fraction * 100;
  }
}
