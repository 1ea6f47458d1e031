/** Times, durations, sizes and texts as they are read. */
import { currentZone, type Zone } from "./zone.ts";

interface Formats {
  readonly clock: Intl.DateTimeFormat;
  readonly day: Intl.DateTimeFormat;
  readonly dayOfYear: Intl.DateTimeFormat;
  readonly year: Intl.DateTimeFormat;
  readonly date: Intl.DateTimeFormat;
  readonly full: Intl.DateTimeFormat;
}

const FORMATS: Readonly<Record<Zone, Formats>> = {
  local: formatsOf({}),
  utc: formatsOf({ timeZone: "UTC" }),
};

function formatsOf(zone: Pick<Intl.DateTimeFormatOptions, "timeZone">): Formats {
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(undefined, { ...options, ...zone });
  return {
    clock: format({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }),
    day: format({ day: "numeric", month: "short" }),
    dayOfYear: format({ day: "numeric", month: "short", year: "numeric" }),
    year: format({ year: "numeric" }),
    date: format({ weekday: "short", day: "numeric", month: "short", year: "numeric" }),
    full: format({ dateStyle: "medium", timeStyle: "long" }),
  };
}

function formats(): Formats {
  return FORMATS[currentZone()];
}

const NUMBER = new Intl.NumberFormat("en-GB");

export function clockTime(ms: number): string {
  return formats().clock.format(ms);
}

/** Formats a time with milliseconds, for histories. */
export function exactTime(ms: number): string {
  return `${clockTime(ms)}.${String(Math.floor(ms) % 1_000).padStart(3, "0")}`;
}

/** Formats the day of a time, for rows between the days of a history. */
export function dateOf(ms: number): string {
  return formats().date.format(ms);
}

/** Formats a time with its day, where no row says the day. */
export function exactMoment(ms: number): string {
  return `${formats().day.format(ms)} ${exactTime(ms)}`;
}

/** The time for today, the day before it otherwise, with the year if it is another one. */
export function shortTime(ms: number, nowMs: number): string {
  if (dateOf(ms) === dateOf(nowMs)) return clockTime(ms);
  const { day, dayOfYear, year } = formats();
  const isThisYear = year.format(ms) === year.format(nowMs);
  return `${(isThisYear ? day : dayOfYear).format(ms)} ${clockTime(ms).slice(0, 5)}`;
}

export function fullTime(ms: number): string {
  return formats().full.format(ms);
}

export function number(value: number): string {
  return NUMBER.format(value);
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;

/** At most two units: "140 ms", "2.4 s", "4m 12s", "2h 05m", "3d 4h". */
export function duration(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole < 1_000) return `${whole} ms`;
  if (whole < 10_000) return `${(whole / 1_000).toFixed(1)} s`;
  if (whole < 60_000) return `${Math.floor(whole / 1_000)} s`;
  const index = UNITS.findIndex(([, unit]) => whole >= unit);
  const [name, unit] = UNITS[index] ?? UNITS[3];
  const [lesser, less] = UNITS[index + 1] ?? UNITS[3];
  const rest = Math.floor((whole % unit) / less);
  const first = `${Math.floor(whole / unit)}${name}`;
  return rest === 0 ? first : `${first} ${String(rest).padStart(2, "0")}${lesser}`;
}

/** "just now", "12 s ago", "in 4m". */
export function distance(ms: number, nowMs: number): string {
  const gap = nowMs - ms;
  if (Math.abs(gap) < 1_500) return "now";
  return gap > 0 ? `${duration(Math.floor(gap / 1_000) * 1_000)} ago` : `in ${duration(-gap)}`;
}

export function bytes(value: number): string {
  if (value < 1_000) return `${value} B`;
  return value < 1_000_000 ? `${(value / 1_000).toFixed(1)} kB` : `${(value / 1_000_000).toFixed(1)} MB`;
}

/** Control and format characters but line breaks, tabs, and what joins emoji. */
const INVISIBLE = /(?![\t\n\r\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Characters that cannot be seen, or that change the direction of what follows, as their codes. */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
}
