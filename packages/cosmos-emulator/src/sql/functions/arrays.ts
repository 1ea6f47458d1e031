/** Functions of arrays, and the choice between values. */
import type { JsonValue } from "../../protocol/json.ts";
import { equalValues } from "../values/order.ts";
import { isArray, isObject, type Value } from "../values/value.ts";
import { type BuiltIn, define } from "./built-in.ts";

export const ARRAYS: readonly BuiltIn[] = [
  define("ARRAY_CONTAINS", [2, 3], contains),
  define("ARRAY_LENGTH", 1, (array) => (isArray(array) ? array.length : undefined)),
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
