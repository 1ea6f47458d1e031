/**
 * Functions of the clock and of chance. The static forms have one value for the whole page, since SQLite
 * computes a deterministic function of nothing once for each statement; the others have one for each row.
 */
import type { Value } from "../values/value.ts";
import type { BuiltIn } from "./built-in.ts";
import { formatDateTime, TICKS_PER_MS } from "./date-time-text.ts";
import { valueOfInteger } from "./integers.ts";

export interface Surroundings {
  /** Milliseconds since the epoch. */
  now(): number;
  /** From 0 to 1. */
  random(): number;
}

/** For calls to be checked there is no need of a clock; only register.ts passes one. */
export function currentTime(surroundings: Surroundings): readonly BuiltIn[] {
  const ticks = (): bigint => BigInt(surroundings.now()) * TICKS_PER_MS;
  return [
    ...both("GETCURRENTTIMESTAMP", () => surroundings.now()),
    ...both("GETCURRENTTICKS", () => valueOfInteger(ticks())),
    ...both("GETCURRENTDATETIME", () => formatDateTime(ticks())),
    { name: "RAND", minArgs: 0, maxArgs: 0, deterministic: false, compute: () => surroundings.random() },
  ];
}

function both(name: string, compute: () => Value): readonly BuiltIn[] {
  const common = { minArgs: 0, maxArgs: 0, compute };
  return [
    { ...common, name, deterministic: false },
    { ...common, name: `${name}STATIC`, deterministic: true },
  ];
}
