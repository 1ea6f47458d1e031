/** Functions of numbers. A wrong type of argument makes the result undefined, as does one beyond doubles. */
import type { Value } from "../values/value.ts";
import { type BuiltIn, define } from "./built-in.ts";

export const MATH: readonly BuiltIn[] = [
  unary("ABS", Math.abs),
  unary("CEILING", Math.ceil),
  unary("FLOOR", Math.floor),
  define("ROUND", [1, 2], round),
];

function unary(name: string, compute: (number: number) => number): BuiltIn {
  return define(name, 1, (number) => (typeof number === "number" ? compute(number) : undefined));
}

/** Rounds to a number of digits; halves go away from zero. */
function round(number: Value, digits: Value = 0): Value {
  if (typeof number !== "number" || typeof digits !== "number" || !Number.isInteger(digits)) return undefined;
  const scale = 10 ** digits;
  const rounded = (Math.sign(number) * Math.round(Math.abs(number) * scale)) / scale;
  return Number.isFinite(rounded) ? rounded : number;
}
