/** Functions of arrays and sets, and the choice between values. */
import type { JsonValue } from "../../protocol/json.ts";
import { canonicalText } from "../values/canonical-text.ts";
import { equalValues } from "../values/order.ts";
import { isArray, isObject, type Value } from "../values/value.ts";
import { type BuiltIn, define } from "./built-in.ts";

const ANY = Number.POSITIVE_INFINITY;

export const ARRAYS: readonly BuiltIn[] = [
  define("ARRAY_CONCAT", [2, ANY], (...parts) => (parts.every(isArray) ? parts.flat() : undefined)),
  define("ARRAY_CONTAINS", [2, 3], contains),
  define("ARRAY_CONTAINS_ANY", [2, ANY], (array, ...wanted) =>
    isArray(array) ? wanted.some((value) => contains(array, value) === true) : undefined,
  ),
  define("ARRAY_CONTAINS_ALL", [2, ANY], (array, ...wanted) =>
    isArray(array) ? wanted.every((value) => contains(array, value) === true) : undefined,
  ),
  define("ARRAY_LENGTH", 1, (array) => (isArray(array) ? array.length : undefined)),
  define("ARRAY_SLICE", [2, 3], slice),
  define("SETINTERSECT", 2, (left, right) =>
    combine(left, right, (set, others) => set.filter((item) => others.has(canonicalText(item)))),
  ),
  define("SETUNION", 2, (left, right) => combine(left, right, (set, _others, other) => [...set, ...other])),
  define("SETDIFFERENCE", 2, (left, right) =>
    combine(left, right, (set, others) => set.filter((item) => !others.has(canonicalText(item)))),
  ),
  define("OBJECTTOARRAY", [1, 3], objectToArray),
  define("CHOOSE", [2, ANY], (index, ...values) =>
    typeof index === "number" ? values[index - 1] : undefined,
  ),
  define("IIF", 3, (condition, then, otherwise) => (condition === true ? then : otherwise)),
];

/** With `partial`, an object matches if all its properties are equal in the element. */
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

/** A negative start counts from the end. */
function slice(array: Value, start: Value, ...more: readonly Value[]): Value {
  const length = more.length === 0 ? Number.MAX_SAFE_INTEGER : more[0];
  if (!isArray(array) || !Number.isInteger(start) || !Number.isInteger(length)) return undefined;
  const from = Number(start) < 0 ? Math.max(0, array.length + Number(start)) : Number(start);
  return array.slice(from, from + Math.max(0, Number(length)));
}

type Combine = (
  set: readonly JsonValue[],
  others: ReadonlySet<string>,
  other: readonly JsonValue[],
) => readonly JsonValue[];

/** Sets have no doubles; the first of equal items stays. */
function combine(left: Value, right: Value, compute: Combine): Value {
  if (!isArray(left) || !isArray(right)) return undefined;
  const unique = new Map<string, JsonValue>();
  for (const item of compute(left, new Set(right.map(canonicalText)), right)) {
    const text = canonicalText(item);
    unique.set(text, unique.get(text) ?? item);
  }
  return [...unique.values()];
}

/** `{a: 1}` as `[{k: "a", v: 1}]`, with other names for k and v on request. */
function objectToArray(object: Value, key: Value = "k", value: Value = "v"): Value {
  if (!isObject(object) || typeof key !== "string" || typeof value !== "string") return undefined;
  return Object.entries(object).map(([name, item]) => ({ [key]: name, [value]: item }));
}
