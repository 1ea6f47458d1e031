/** A few built-in functions of each family, enough for random expressions. */
import { equal, inOrder, isNested, type Value } from "./values.ts";

type Compute = (...args: readonly Value[]) => Value;

/** Functions by name, each with as many arguments as its function. */
export const FUNCTIONS: Readonly<Record<string, Compute>> = {
  IS_DEFINED: (value) => value !== undefined,
  IS_NULL: (value) => value === null,
  IS_BOOL: (value) => typeof value === "boolean",
  IS_NUMBER: (value) => typeof value === "number",
  IS_STRING: (value) => typeof value === "string",
  IS_ARRAY: (value) => Array.isArray(value),
  IS_OBJECT: (value) => isNested(value) && !Array.isArray(value),
  IS_PRIMITIVE: (value) => value !== undefined && !isNested(value),
  ABS: (value) => (typeof value === "number" ? Math.abs(value) : undefined),
  LENGTH: (value) => (typeof value === "string" ? value.length : undefined),
  ARRAY_LENGTH: (value) => (Array.isArray(value) ? value.length : undefined),
  STARTSWITH: texts((text, part) => text.startsWith(part)),
  CONTAINS: texts((text, part) => text.includes(part)),
  ARRAY_CONTAINS: (array, wanted) =>
    Array.isArray(array) && wanted !== undefined
      ? array.some((item: Value) => equal(item, wanted) === true)
      : undefined,
};

function texts(holds: (text: string, part: string) => boolean): Compute {
  return (text, part) =>
    typeof text === "string" && typeof part === "string" ? holds(text, part) : undefined;
}

/** LIKE without sets and escapes. */
export function like(text: Value, pattern: Value): Value {
  if (typeof text !== "string" || typeof pattern !== "string") return undefined;
  const source = pattern
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("%", ".*")
    .replaceAll("_", ".");
  return new RegExp(`^${source}$`, "su").test(text);
}

/** Aggregates of the values of a group; undefined ones do not count. */
export const AGGREGATES: Readonly<Record<string, (values: readonly Value[]) => Value>> = {
  COUNT: (values) => values.filter((value) => value !== undefined).length,
  SUM: (values) => sum(values),
  AVG: (values) => {
    const total = sum(values);
    const count = values.filter((value) => value !== undefined).length;
    return typeof total === "number" && count > 0 ? total / count : undefined;
  },
  MIN: (values) => extreme(values, -1),
  MAX: (values) => extreme(values, 1),
};

/** Random numbers, and their products, are multiples of this. */
const UNIT = 2 ** -20;

/** Rounded once, at the end: doubles that are added one by one lose what SQLite carries along. */
function sum(values: readonly Value[]): Value {
  let total = 0n;
  for (const value of values) {
    if (value === undefined) continue;
    if (typeof value !== "number") return undefined;
    total += BigInt(value / UNIT);
  }
  return Number(total) * UNIT;
}

/** Arrays and objects make it undefined (assumed). */
function extreme(values: readonly Value[], direction: 1 | -1): Value {
  const defined = values.filter((value) => value !== undefined);
  if (defined.some(isNested)) return undefined;
  return defined.toSorted((left, right) => direction * inOrder(right, left))[0];
}
