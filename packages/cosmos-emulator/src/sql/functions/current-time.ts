/**
 * Functions of the clock. The static forms have one value for the whole page, since SQLite computes a deterministic
 * function of nothing once for each statement; the others have one for each row.
 */
import type { Value } from "../values/value.ts";
import type { BuiltIn } from "./built-in.ts";

/** Makes the functions. `now` returns milliseconds since the epoch. */
export function currentTime(now: () => number): readonly BuiltIn[] {
  return [
    ...both("GETCURRENTTIMESTAMP", now),
    // The service writes seven digits of a second.
    ...both("GETCURRENTDATETIME", () => new Date(now()).toISOString().replace("Z", "0000Z")),
  ];
}

function both(name: string, compute: () => Value): readonly BuiltIn[] {
  const common = { minArgs: 0, maxArgs: 0, compute };
  return [
    { ...common, name, deterministic: false },
    { ...common, name: `${name}STATIC`, deterministic: true },
  ];
}
