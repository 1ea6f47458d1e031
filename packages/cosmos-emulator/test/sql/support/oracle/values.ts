/**
 * The language's rules of values (docs/reference/cosmos-protocol.md §1.8), as plainly as it can be written and
 * without anything of the endpoint's own code: it is what that code is compared with.
 */
import type { JsonValue } from "../../../../src/protocol/json.ts";

/** JSON, or undefined. */
export type Value = JsonValue | undefined;

const TYPES = ["undefined", "null", "false", "true", "number", "string", "array", "object"] as const;

/** Types in the order in which ORDER BY sorts them; false and true are two of them. */
export type Type = (typeof TYPES)[number];

export function typeOf(value: Value): Type {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return value ? "true" : "false";
  return typeof value as Type;
}

/** Returns a negative number, zero or a positive one; for arrays and objects by their JSON (assumed). */
export function inOrder(left: Value, right: Value): number {
  const types = TYPES.indexOf(typeOf(left)) - TYPES.indexOf(typeOf(right));
  if (types !== 0) return types;
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "string" && typeof right === "string") return byCodePoints(left, right);
  return isNested(left) ? byCodePoints(textOf(left), textOf(right)) : 0;
}

function byCodePoints(left: string, right: string): number {
  const [a, b] = [left, right].map((text) => Array.from(text, (character) => character.codePointAt(0) ?? 0));
  const length = Math.max(a?.length ?? 0, b?.length ?? 0);
  for (let at = 0; at < length; at += 1) {
    const difference = (a?.[at] ?? -1) - (b?.[at] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

export function isNested(value: Value): boolean {
  return typeOf(value) === "array" || typeOf(value) === "object";
}

/** The same text for equal values: the order of properties does not count. */
export function textOf(value: Value): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** `=`: undefined if a side is, false across types. */
export function equal(left: Value, right: Value): Value {
  if (left === undefined || right === undefined) return undefined;
  return typeOf(left) === typeOf(right) && textOf(left) === textOf(right);
}

/** `<` and the like: undefined across types, and for arrays and objects. */
export function compare(left: Value, right: Value, holds: (order: number) => boolean): Value {
  if (left === undefined || right === undefined) return undefined;
  const sameType = typeof left === typeof right && (left === null) === (right === null);
  return sameType && !isNested(left) && !isNested(right) ? holds(inOrder(left, right)) : undefined;
}

export function not(value: Value): Value {
  return typeof value === "boolean" ? !value : undefined;
}

/** One false side decides; otherwise a side that is neither true nor false makes it undefined. */
export function and(values: readonly Value[]): Value {
  if (values.includes(false)) return false;
  return values.every((value) => value === true) ? true : undefined;
}

export function or(values: readonly Value[]): Value {
  return not(and(values.map(not)));
}
