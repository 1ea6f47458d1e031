/** From values to strings and back. */
import { isArray, isObject, type Value, writeValue } from "../values/value.ts";
import { type BuiltIn, define } from "./built-in.ts";

export const CONVERSIONS: readonly BuiltIn[] = [
  define("TOSTRING", 1, (value) => (typeof value === "string" ? value : (writeValue(value) ?? undefined))),
  parse("STRINGTONUMBER", (value) => typeof value === "number"),
  parse("STRINGTOBOOLEAN", (value) => typeof value === "boolean"),
  parse("STRINGTONULL", (value) => value === null),
  parse("STRINGTOARRAY", isArray),
  parse("STRINGTOOBJECT", isObject),
];

/** The JSON that the string holds, if it is of the wanted type; white space around it does not matter. */
function parse(name: string, isWanted: (value: Value) => boolean): BuiltIn {
  return define(name, 1, (text) => {
    const value = typeof text === "string" ? parseJson(text) : undefined;
    return isWanted(value) ? value : undefined;
  });
}

function parseJson(text: string): Value {
  try {
    return JSON.parse(text.toWellFormed()) as Value;
  } catch {
    return undefined;
  }
}
