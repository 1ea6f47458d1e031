/** The comparison of values (docs/reference/cosmos-protocol.md §1.8). */
import type { JsonValue } from "../../protocol/json.ts";
import { isArray, isObject, type Value } from "./value.ts";

/** The order of types: null < false < true < number < string < array < object. */
export const TYPE_RANKS = { null: 1, false: 2, true: 3, number: 4, string: 5, array: 6, object: 7 } as const;

export type TypeRank = (typeof TYPE_RANKS)[keyof typeof TYPE_RANKS];

export function typeRank(value: JsonValue): TypeRank {
  switch (typeof value) {
    case "boolean":
      return value ? TYPE_RANKS.true : TYPE_RANKS.false;
    case "number":
      return TYPE_RANKS.number;
    case "string":
      return TYPE_RANKS.string;
    default:
      return value === null ? TYPE_RANKS.null : isArray(value) ? TYPE_RANKS.array : TYPE_RANKS.object;
  }
}

/** Compares in code point order, which differs from JavaScript's order of code units above U+FFFF. */
export function compareStrings(left: string, right: string): number {
  if (left === right) return 0;
  let at = 0;
  while (at < left.length && at < right.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return codePointKey(left, at) - codePointKey(right, at);
}

/** Moves surrogates, which begin the highest code points, above all other code units. */
function codePointKey(text: string, at: number): number {
  if (at >= text.length) return -1;
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Compares deeply; the order of properties does not count. Undefined if a side is. */
export function equalValues(left: Value, right: Value): boolean | undefined {
  return left === undefined || right === undefined ? undefined : deepEqual(left, right);
}

function deepEqual(left: JsonValue, right: JsonValue): boolean {
  if (isArray(left)) {
    return (
      isArray(right) &&
      left.length === right.length &&
      left.every((item, at) => equalValues(item, right[at]) === true)
    );
  }
  if (isObject(left)) {
    const names = Object.keys(left);
    return (
      isObject(right) &&
      names.length === Object.keys(right).length &&
      names.every((name) => Object.hasOwn(right, name) && equalValues(left[name], right[name]) === true)
    );
  }
  return left === right;
}

/**
 * Returns a negative number, zero or a positive one for two values of one type; undefined across types, and for
 * arrays and objects, which have no order among themselves.
 */
export function compareValues(left: Value, right: Value): number | undefined {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "string" && typeof right === "string") return compareStrings(left, right);
  if (typeof left === "boolean" && typeof right === "boolean") return Number(left) - Number(right);
  return left === null && right === null ? 0 : undefined;
}
