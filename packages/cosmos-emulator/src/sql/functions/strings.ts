/** String functions. A wrong type of argument makes the result undefined. */
import { compareStrings } from "../values/order.ts";
import { isArray, type Value } from "../values/value.ts";
import { type BuiltIn, define } from "./built-in.ts";

/** The length that REPLICATE may reach, as in Microsoft's own model of the query engine. */
const MAX_REPLICATED_LENGTH = 10_000;

export const STRINGS: readonly BuiltIn[] = [
  define("CONCAT", [2, Number.POSITIVE_INFINITY], (...parts) =>
    parts.every(isString) ? parts.join("") : undefined,
  ),
  compare("CONTAINS", (text, part) => text.includes(part)),
  compare("STARTSWITH", (text, part) => text.startsWith(part)),
  compare("ENDSWITH", (text, part) => text.endsWith(part)),
  compare("STRINGEQUALS", (text, other) => compareStrings(text, other) === 0),
  define("INDEX_OF", [2, 3], indexOf),
  define("LASTINDEXOF", 2, (text, part) =>
    isString(text) && isString(part) ? text.lastIndexOf(part) : undefined,
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
  define("LTRIM", [1, 2], (text, ...of) => trim(text, of, true, false)),
  define("RTRIM", [1, 2], (text, ...of) => trim(text, of, false, true)),
  define("TRIM", [1, 2], (text, ...of) => trim(text, of, true, true)),
  define("REPLACE", 3, (text, part, by) =>
    isString(text) && isString(part) && isString(by) && part !== "" ? text.split(part).join(by) : undefined,
  ),
  define("REPLICATE", 2, replicate),
  define("REVERSE", 1, (text) => (isString(text) ? Array.from(text).reverse().join("") : undefined)),
  define("STRINGJOIN", 2, (items, separator) =>
    isArray(items) && items.every(isString) && isString(separator) ? items.join(separator) : undefined,
  ),
  define("STRINGSPLIT", 2, split),
];

function isString(value: Value): value is string {
  return typeof value === "string";
}

/** Two strings, and a flag that makes the comparison blind to case. */
function compare(name: string, test: (text: string, part: string) => boolean): BuiltIn {
  return define(name, [2, 3], (text, part, ignoreCase) => {
    if (!isString(text) || !isString(part)) return undefined;
    return ignoreCase === true ? test(text.toLowerCase(), part.toLowerCase()) : test(text, part);
  });
}

function indexOf(text: Value, part: Value, from: Value = 0): Value {
  return isString(text) && isString(part) && typeof from === "number" ? text.indexOf(part, from) : undefined;
}

/** Lengths and starts out of range mean the nearest that is in range. */
function substring(text: Value, start: Value, length: Value): Value {
  if (!isString(text) || typeof start !== "number" || typeof length !== "number") return undefined;
  const from = Math.max(0, Math.trunc(start));
  return text.slice(from, from + Math.max(0, Math.trunc(length))).toWellFormed();
}

/** The characters of the second argument, if there is one, instead of white space. */
function trim(text: Value, of: readonly Value[], start: boolean, end: boolean): Value {
  const [characters] = of;
  if (!isString(text) || (of.length > 0 && !isString(characters))) return undefined;
  const trimmed = (character: string): boolean =>
    isString(characters) ? characters.includes(character) : character.trim() === "";
  const points = Array.from(text);
  let [from, to] = [0, points.length];
  while (start && from < to && trimmed(points[from] ?? "")) from += 1;
  while (end && to > from && trimmed(points[to - 1] ?? "")) to -= 1;
  return points.slice(from, to).join("");
}

function replicate(text: Value, times: Value): Value {
  if (!isString(text) || typeof times !== "number" || times < 0) return undefined;
  const count = Math.trunc(times);
  return text.length * count > MAX_REPLICATED_LENGTH ? undefined : text.repeat(text === "" ? 0 : count);
}

/** An empty separator does not split (assumed). */
function split(text: Value, separator: Value): Value {
  if (!isString(text) || !isString(separator)) return undefined;
  return separator === "" ? [text] : text.split(separator);
}
