/** Builds the JSON text of objects and arrays out of the JSON texts of their parts, without parsing them. */
import { balanced, bind, raw, type Sql, sql } from "./sql-text.ts";

/**
 * Writes an object; what is undefined is left out, and of two properties with one name the last one stays (assumed).
 */
export function objectText(entries: readonly { readonly name: string; readonly value: Sql }[]): Sql {
  const unique = new Map(entries.map(({ name, value }) => [name, value]));
  const parts = Array.from(
    unique,
    ([name, value]) => sql`coalesce(${bind(`,${JSON.stringify(name)}:`)} || ${value}, '')`,
  );
  return bracketed("{", parts, "}");
}

/** Writes an array; the service writes null in the place of an undefined item. */
export function arrayText(items: readonly Sql[]): Sql {
  const parts = items.map((item) => sql`coalesce(',' || ${item}, ',null')`);
  return bracketed("[", parts, "]");
}

/** Writes an array of the items that are defined. */
export function listText(items: readonly Sql[]): Sql {
  const parts = items.map((item) => sql`coalesce(',' || ${item}, '')`);
  return bracketed("[", parts, "]");
}

function bracketed(open: string, parts: readonly Sql[], close: string): Sql {
  return parts.length === 0
    ? raw(`'${open}${close}'`)
    : sql`(${raw(`'${open}'`)} || substr(${balanced(parts, "||")}, 2) || ${raw(`'${close}'`)})`;
}
