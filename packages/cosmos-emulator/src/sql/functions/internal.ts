/** Functions that translated statements call, other than operators and the built-ins of the language. */
import { compareValues, equalValues } from "../values/order.ts";
import { isArray, isObject, type Value } from "../values/value.ts";
import { isLike } from "./like.ts";

type Compute = (...args: readonly Value[]) => Value;

/** Functions by their names in SQLite. */
export const INTERNAL_FUNCTIONS: Readonly<Record<string, Compute>> = {
  cosmos_member: member,
  cosmos_in: (value, items) =>
    value === undefined || !isArray(items)
      ? undefined
      : items.some((item) => equalValues(value, item) === true),
  cosmos_between: between,
  cosmos_like: (value, pattern, escaping) =>
    typeof value === "string" && typeof pattern === "string"
      ? isLike(value, pattern, typeof escaping === "string" ? escaping : undefined)
      : undefined,
};

function member(object: Value, index: Value): Value {
  if (typeof index === "number") return isArray(object) ? object[index] : undefined;
  return typeof index === "string" && isObject(object) && Object.hasOwn(object, index)
    ? object[index]
    : undefined;
}

/** Computes `low <= value AND value <= high`, with AND's rule that one false side decides. */
function between(value: Value, low: Value, high: Value): Value {
  const above = compareValues(value, low);
  const below = compareValues(value, high);
  if ((above !== undefined && above < 0) || (below !== undefined && below > 0)) return false;
  return above === undefined || below === undefined ? undefined : true;
}
