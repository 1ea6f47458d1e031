/** Functions of numbers. A wrong type of argument makes the result undefined, as does one beyond doubles. */
import type { Value } from "../values/value.ts";
import { type BuiltIn, define, defineFallible } from "./built-in.ts";
import { evaluationError } from "./evaluation-error.ts";

export const MATH: readonly BuiltIn[] = [
  unary("ABS", Math.abs),
  unary("ACOS", Math.acos),
  unary("ASIN", Math.asin),
  unary("ATAN", Math.atan),
  binary("ATN2", Math.atan2),
  unary("CEILING", Math.ceil),
  unary("COS", Math.cos),
  unary("COT", (angle) => 1 / Math.tan(angle)),
  unary("DEGREES", (radians) => (180 / Math.PI) * radians),
  unary("EXP", Math.exp),
  unary("FLOOR", Math.floor),
  defineFallible("LOG", [1, 2], log),
  unary("LOG10", Math.log10),
  define("NUMBERBIN", [1, 2], numberBin),
  define("PI", 0, () => Math.PI),
  binary("POWER", (base, exponent) => base ** exponent),
  unary("RADIANS", (degrees) => (Math.PI * degrees) / 180),
  define("ROUND", [1, 2], round),
  unary("SIGN", Math.sign),
  unary("SIN", Math.sin),
  unary("SQRT", Math.sqrt),
  unary("SQUARE", (number) => number * number),
  unary("TAN", Math.tan),
  unary("TRUNC", Math.trunc),
];

function unary(name: string, compute: (number: number) => number): BuiltIn {
  return defineFallible(name, 1, (number) =>
    typeof number === "number" ? checked(name, compute(number)) : undefined,
  );
}

function binary(name: string, compute: (left: number, right: number) => number): BuiltIn {
  return defineFallible(name, 2, (left, right) =>
    typeof left === "number" && typeof right === "number" ? checked(name, compute(left, right)) : undefined,
  );
}

/**
 * Arguments for which there is no result fail the query, as a division by zero does
 * (docs/reference/cosmos-protocol.md §2.1; that it is so for all functions is assumed).
 */
function checked(name: string, result: number): number {
  if (Number.isNaN(result)) throw evaluationError(`An argument of ${name} is outside of its range.`);
  return result;
}

function log(number: Value, ...more: readonly Value[]): Value {
  const base = more.length === 0 ? Math.E : more[0];
  if (typeof number !== "number" || typeof base !== "number") return undefined;
  return checked("LOG", base === Math.E ? Math.log(number) : Math.log(number) / Math.log(base));
}

/** Rounds down to a multiple of the size. */
function numberBin(number: Value, size: Value = 1): Value {
  return typeof number === "number" && typeof size === "number" && size !== 0
    ? Math.floor(number / size) * size
    : undefined;
}

/** Halves are rounded away from zero. */
function round(number: Value, digits: Value = 0): Value {
  if (typeof number !== "number" || typeof digits !== "number" || !Number.isInteger(digits)) return undefined;
  const scale = 10 ** digits;
  const rounded = (Math.sign(number) * Math.round(Math.abs(number) * scale)) / scale;
  return Number.isFinite(rounded) ? rounded : number;
}
