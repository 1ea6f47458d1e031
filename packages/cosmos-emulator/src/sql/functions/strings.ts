/** Functions of strings. A wrong type of argument makes the result undefined. */
import { compareStrings } from "../values/order.ts";
import { type Value, writeValue } from "../values/value.ts";
import { type BuiltIn, define } from "./built-in.ts";

export const STRINGS: readonly BuiltIn[] = [
  define("CONCAT", [2, Number.POSITIVE_INFINITY], (...parts) =>
    parts.every(isString) ? parts.join("") : undefined,
  ),
  compare("CONTAINS", (text, part) => text.includes(part)),
  compare("STARTSWITH", (text, part) => text.startsWith(part)),
  compare("ENDSWITH", (text, part) => text.endsWith(part)),
  compare("STRINGEQUALS", (text, other) => compareStrings(text, other) === 0),
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

function isString(value: Value): value is string {
  return typeof value === "string";
}

/** Defines a comparison of two strings, with a flag that makes it blind to case. */
function compare(name: string, test: (text: string, part: string) => boolean): BuiltIn {
  return define(name, [2, 3], (text, part, ignoreCase) => {
    if (!isString(text) || !isString(part)) return undefined;
    return ignoreCase === true ? test(text.toLowerCase(), part.toLowerCase()) : test(text, part);
  });
}

/** Takes a part of a text. A length or start out of range stands for the nearest that is in range. */
function substring(text: Value, start: Value, length: Value): Value {
  if (!isString(text) || typeof start !== "number" || typeof length !== "number") return undefined;
  const from = Math.max(0, Math.trunc(start));
  return text.slice(from, from + Math.max(0, Math.trunc(length))).toWellFormed();
}
