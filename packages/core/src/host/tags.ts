/** Kinds of objects told apart by their tags (`Symbol.toStringTag`), where there is no Node. An object may lie. */
import type { types as nodeTypes } from "node:util";

export type Kinds = Pick<
  typeof nodeTypes,
  | "isArgumentsObject"
  | "isBooleanObject"
  | "isDate"
  | "isMap"
  | "isNativeError"
  | "isNumberObject"
  | "isPromise"
  | "isSet"
  | "isStringObject"
>;

function tagged<T>(tag: string): (value: unknown) => value is T {
  return (value): value is T =>
    typeof value === "object" &&
    value !== null &&
    Object.prototype.toString.call(value) === `[object ${tag}]`;
}

export function tags(): Kinds {
  return {
    isArgumentsObject: tagged("Arguments"),
    isBooleanObject: tagged("Boolean"),
    isDate: tagged("Date"),
    isMap: tagged("Map") as Kinds["isMap"],
    isNativeError: tagged("Error"),
    isNumberObject: tagged("Number"),
    isPromise: tagged("Promise"),
    isSet: tagged("Set") as Kinds["isSet"],
    isStringObject: tagged("String"),
  };
}
