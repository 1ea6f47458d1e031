/** IS_DEFINED and its family: true or false for every value, undefined included. */
import { isArray, isObject, type Value } from "../values/value.ts";
import { type BuiltIn, define } from "./built-in.ts";

export const TYPE_CHECKS: readonly BuiltIn[] = [
  check("IS_DEFINED", (value) => value !== undefined),
  check("IS_NULL", (value) => value === null),
  check("IS_BOOL", (value) => typeof value === "boolean"),
  check("IS_NUMBER", (value) => typeof value === "number"),
  check("IS_INTEGER", (value) => Number.isInteger(value)),
  check("IS_FINITE_NUMBER", (value) => Number.isFinite(value)),
  check("IS_STRING", (value) => typeof value === "string"),
  check("IS_ARRAY", isArray),
  check("IS_OBJECT", isObject),
  check("IS_PRIMITIVE", (value) => value !== undefined && !isArray(value) && !isObject(value)),
];

function check(name: string, holds: (value: Value) => boolean): BuiltIn {
  return define(name, 1, holds);
}
