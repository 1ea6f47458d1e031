/**
 * Whether two decoded values are the same data. Never throws, and its cost is bounded: values that throw when they are
 * read, that are nested too deeply or too large, or whose content is not visible, count as different.
 *
 * - same-value.SV1: Two values that are the same data for JSON are the same, whatever the order of their keys.
 * - same-value.SV2: Values whose content the comparison cannot read, such as instances with private fields, are never
 *   the same, because a missed difference would hide that the code no longer matches its history.
 */

import { isDeepStrictEqual } from "node:util";
import { hasToJson } from "../errors/opaque-values.ts";

const DEEPEST = 1_000;
/** A payload of the default maximum size has fewer values. */
const MOST_VALUES = 2_000_000;

export function sameValue(a: unknown, b: unknown): boolean {
  try {
    return isSame({ left: MOST_VALUES }, a, b, 0);
  } catch {
    return false;
  }
}

interface Budget {
  left: number;
}

function isSame(budget: Budget, a: unknown, b: unknown, depth: number): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null)
    return isSamePrimitive(a, b);
  if (depth > DEEPEST || --budget.left < 0) return false;
  if (hasToJson(a) || hasToJson(b)) {
    return hasToJson(a) && hasToJson(b) && isSame(budget, a.toJSON(""), b.toJSON(""), depth + 1);
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && areSameItems(budget, a, b, depth + 1);
  }
  if (isPlain(a) || isPlain(b)) return isPlain(a) && isPlain(b) && areSameMembers(budget, a, b, depth + 1);
  return isTransparent(a) && isDeepStrictEqual(a, b);
}

/** -0 is written as 0 by JSON. */
function isSamePrimitive(a: unknown, b: unknown): boolean {
  return a === b || (Number.isNaN(a) && Number.isNaN(b));
}

function areSameItems(budget: Budget, a: readonly unknown[], b: readonly unknown[], depth: number): boolean {
  if (a.length !== b.length) return false;
  budget.left -= a.length;
  for (let index = 0; index < a.length; index += 1) {
    if (!isSame(budget, a[index] ?? null, b[index] ?? null, depth)) return false;
  }
  return true;
}

type Members = Readonly<Record<string, unknown>>;

/** A member that is `undefined` counts as absent. */
function areSameMembers(budget: Budget, a: object, b: object, depth: number): boolean {
  const left = a as Members;
  const right = b as Members;
  let members = 0;
  for (const key of Object.keys(left)) {
    if (left[key] === undefined) continue;
    members += 1;
    if (!Object.hasOwn(right, key) || !isSame(budget, left[key], right[key], depth)) return false;
  }
  budget.left -= members;
  return Object.keys(right).reduce((count, key) => count + (right[key] === undefined ? 0 : 1), 0) === members;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether the whole content of the value can be compared (same-value.SV2). */
function isTransparent(value: object): boolean {
  return (
    value instanceof Map || value instanceof Set || ArrayBuffer.isView(value) || value instanceof ArrayBuffer
  );
}
