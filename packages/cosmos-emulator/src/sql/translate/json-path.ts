/** JSON paths of SQLite, and the two expressions by which a path is compared, ordered and indexed. */
import { raw, type Sql } from "./sql-text.ts";

/** A property name or an index of an array. */
export type Step = string | number;

/** Checks for names that SQLite's path syntax can hold as they are; all others are read by a registered function. */
export function isPlain(step: Step): boolean {
  return typeof step === "number"
    ? Number.isSafeInteger(step) && step >= 0
    : // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is excluded
      !/["\\\u0000-\u001f\u007f]/.test(step) && step.isWellFormed();
}

/** Writes the path as a quoted SQL string: '$."a"[0]'. All steps must be plain. */
export function pathLiteral(steps: readonly Step[]): string {
  const path = steps.map((step) => (typeof step === "number" ? `[${step}]` : `."${step}"`)).join("");
  return `'$${path.replaceAll("'", "''")}'`;
}

/** Extracts the value at a path, as JSON text, or NULL where it is undefined. */
export function extractJson(base: string, steps: readonly Step[]): Sql {
  return raw(steps.length === 0 ? base : `(${base} -> ${pathLiteral(steps)})`);
}

/**
 * Extracts the rank of the value's type (values/order.ts), NULL for undefined. It comes first in an index, so that
 * the index has the order in which Cosmos DB sorts mixed types, and so that a comparison is one of equal types.
 */
export function extractRank(base: string, steps: readonly Step[]): Sql {
  return raw(
    `CASE json_type(${base}, ${pathLiteral(steps)}) WHEN 'null' THEN 1 WHEN 'false' THEN 2 WHEN 'true' THEN 3 ` +
      "WHEN 'integer' THEN 4 WHEN 'real' THEN 4 WHEN 'text' THEN 5 WHEN 'array' THEN 6 WHEN 'object' THEN 7 END",
  );
}

/** Extracts the value as SQLite's own: number, text, 0 or 1; the JSON text of arrays and objects; NULL for null. */
export function extractScalar(base: string, steps: readonly Step[]): Sql {
  return raw(`json_extract(${base}, ${pathLiteral(steps)})`);
}
