/** The built-in functions of the query language. A wrong type of argument makes the result undefined. */
import type { JsonValue } from "../../protocol/json.ts";
import { compareStrings, equalValues } from "../values/order.ts";
import { isArray, isObject, type Value, writeValue } from "../values/value.ts";

export interface BuiltIn {
  /** Name in upper case; names are found without regard to case. */
  readonly name: string;
  readonly minArgs: number;
  readonly maxArgs: number;
  /** Whether SQLite may compute a call of constants once, before it looks at any row. */
  readonly deterministic: boolean;
  compute(...args: readonly Value[]): Value;
}

/** Lists every function. `now` returns milliseconds since the epoch. */
export function builtIns(now: () => number): readonly BuiltIn[] {
  return [
    ...TYPE_CHECKS,
    ...STRINGS,
    ...NUMBERS,
    ...ARRAYS,
    ...currentTime("GETCURRENTTIMESTAMP", now),
    // The service writes seven digits of a second.
    ...currentTime("GETCURRENTDATETIME", () => new Date(now()).toISOString().replace("Z", "0000Z")),
  ];
}

/** True or false for every value, undefined included. */
const TYPE_CHECKS: readonly BuiltIn[] = [
  define("IS_DEFINED", 1, (value) => value !== undefined),
  define("IS_NULL", 1, (value) => value === null),
  define("IS_BOOL", 1, (value) => typeof value === "boolean"),
  define("IS_NUMBER", 1, (value) => typeof value === "number"),
  define("IS_INTEGER", 1, (value) => Number.isInteger(value)),
  define("IS_FINITE_NUMBER", 1, (value) => Number.isFinite(value)),
  define("IS_STRING", 1, isString),
  define("IS_ARRAY", 1, isArray),
  define("IS_OBJECT", 1, isObject),
  define("IS_PRIMITIVE", 1, (value) => value !== undefined && !isArray(value) && !isObject(value)),
];

const STRINGS: readonly BuiltIn[] = [
  define("CONCAT", [2, Number.POSITIVE_INFINITY], (...parts) =>
    parts.every(isString) ? parts.join("") : undefined,
  ),
  defineComparison("CONTAINS", (text, part) => text.includes(part)),
  defineComparison("STARTSWITH", (text, part) => text.startsWith(part)),
  defineComparison("ENDSWITH", (text, part) => text.endsWith(part)),
  defineComparison("STRINGEQUALS", (text, other) => compareStrings(text, other) === 0),
  define("INDEX_OF", [2, 3], (text, part, from = 0) =>
    isString(text) && isString(part) && typeof from === "number" ? text.indexOf(part, from) : undefined,
  ),
  define("LENGTH", 1, (text) => (isString(text) ? text.length : undefined)),
  define("LEFT", 2, (text, length) => substring(text, 0, length)),
  define("RIGHT", 2, (text, length) =>
    isString(text) && typeof length === "number"
      ? substring(text, Math.max(0, text.length - length), length)
      : undefined,
  ),
  define("SUBSTRING", 3, substring),
  define("LOWER", 1, (text) => (isString(text) ? text.toLowerCase() : undefined)),
  define("UPPER", 1, (text) => (isString(text) ? text.toUpperCase() : undefined)),
  define("TRIM", 1, (text) => (isString(text) ? text.trim() : undefined)),
  define("REPLACE", 3, (text, part, by) =>
    isString(text) && isString(part) && isString(by) && part !== "" ? text.split(part).join(by) : undefined,
  ),
  define("TOSTRING", 1, (value) => (isString(value) ? value : (writeValue(value) ?? undefined))),
];

const NUMBERS: readonly BuiltIn[] = [
  define("ABS", 1, (number) => (typeof number === "number" ? Math.abs(number) : undefined)),
  define("CEILING", 1, (number) => (typeof number === "number" ? Math.ceil(number) : undefined)),
  define("FLOOR", 1, (number) => (typeof number === "number" ? Math.floor(number) : undefined)),
  define("ROUND", [1, 2], round),
];

const ARRAYS: readonly BuiltIn[] = [
  define("ARRAY_CONTAINS", [2, 3], contains),
  define("ARRAY_LENGTH", 1, (array) => (isArray(array) ? array.length : undefined)),
  define("IIF", 3, (condition, then, otherwise) => (condition === true ? then : otherwise)),
];

/** Defines a deterministic function. `arity` is the number of arguments, or the least and the greatest. */
function define(
  name: string,
  arity: number | readonly [number, number],
  compute: BuiltIn["compute"],
): BuiltIn {
  const [minArgs, maxArgs] = typeof arity === "number" ? [arity, arity] : arity;
  return { name, minArgs, maxArgs, deterministic: true, compute };
}

/** Defines a comparison of two strings, with a flag that makes it blind to case. */
function defineComparison(name: string, holds: (text: string, part: string) => boolean): BuiltIn {
  return define(name, [2, 3], (text, part, ignoreCase) => {
    if (!isString(text) || !isString(part)) return undefined;
    return ignoreCase === true ? holds(text.toLowerCase(), part.toLowerCase()) : holds(text, part);
  });
}

/** Defines a function of the clock: one that is computed for each row, and its static form, once for a page. */
function currentTime(name: string, compute: () => Value): readonly BuiltIn[] {
  return [{ ...define(name, 0, compute), deterministic: false }, define(`${name}STATIC`, 0, compute)];
}

function isString(value: Value): value is string {
  return typeof value === "string";
}

/** Takes a part of a text. A length or start out of range stands for the nearest that is in range. */
function substring(text: Value, start: Value, length: Value): Value {
  if (!isString(text) || typeof start !== "number" || typeof length !== "number") return undefined;
  const from = Math.max(0, Math.trunc(start));
  return text.slice(from, from + Math.max(0, Math.trunc(length))).toWellFormed();
}

/** Rounds to a number of digits; halves go away from zero. */
function round(number: Value, digits: Value = 0): Value {
  if (typeof number !== "number" || typeof digits !== "number" || !Number.isInteger(digits)) return undefined;
  const scale = 10 ** digits;
  const rounded = (Math.sign(number) * Math.round(Math.abs(number) * scale)) / scale;
  return Number.isFinite(rounded) ? rounded : number;
}

/** Looks for a value in an array. With `partial`, an object matches if all its properties are equal in the element. */
function contains(array: Value, wanted: Value, partial: Value = false): Value {
  if (!isArray(array) || wanted === undefined || typeof partial !== "boolean") return undefined;
  return array.some((item) => (partial ? isPart(item, wanted) : equalValues(item, wanted) === true));
}

function isPart(item: JsonValue, wanted: JsonValue): boolean {
  if (!isObject(wanted)) return equalValues(item, wanted) === true;
  return (
    isObject(item) &&
    Object.entries(wanted).every(
      ([name, value]) => Object.hasOwn(item, name) && equalValues(item[name], value) === true,
    )
  );
}
