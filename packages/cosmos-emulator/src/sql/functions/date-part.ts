/** Names of the parts of a point in time, with their abbreviations. */
import type { Value } from "../values/value.ts";

const NAMES = {
  year: ["yyyy", "yy"],
  month: ["mm", "m"],
  day: ["dd", "d"],
  hour: ["hh"],
  minute: ["mi", "n"],
  second: ["ss", "s"],
  millisecond: ["ms"],
  microsecond: ["mcs"],
  nanosecond: ["ns"],
} as const;

export type DatePart = keyof typeof NAMES;

const PARTS: ReadonlyMap<string, DatePart> = new Map(
  (Object.keys(NAMES) as DatePart[]).flatMap((part) => [part, ...NAMES[part]].map((name) => [name, part])),
);

/** The part that is named, without regard to case (assumed). */
export function parsePart(name: Value): DatePart | undefined {
  return typeof name === "string" ? PARTS.get(name.toLowerCase()) : undefined;
}

/** The length in ticks, as a fraction: a nanosecond is less than a tick. */
export function ticksOf(part: Exclude<DatePart, "year" | "month">): {
  readonly numerator: bigint;
  readonly denominator: bigint;
} {
  const lengths = {
    day: 864_000_000_000n,
    hour: 36_000_000_000n,
    minute: 600_000_000n,
    second: 10_000_000n,
    millisecond: 10_000n,
    microsecond: 10n,
    nanosecond: 1n,
  };
  return { numerator: lengths[part], denominator: part === "nanosecond" ? 100n : 1n };
}
