/** The rows of a query: the documents that pass its filter, or a single row where it reads none. */
import type { Select } from "../syntax/tree.ts";
import { translateCondition } from "./condition.ts";
import { type Documents, type Names, SEQ } from "./names.ts";
import { raw, type Sql } from "./sql-text.ts";

/** The rows, as parts of a statement. */
export interface Rows {
  readonly names: Names;
  /** The table of the documents; undefined in a query without FROM. */
  readonly table: Sql | undefined;
  readonly conditions: readonly Sql[];
  /** The order of rows where nothing else decides. */
  readonly order: readonly Sql[];
}

export function translateRows(
  { from, where }: Pick<Select, "from" | "where">,
  names: Names,
  documents: Documents,
): Rows {
  const filter = where === undefined ? [] : [translateCondition(where, true, names)];
  if (from === undefined) return { names, table: undefined, conditions: filter, order: [] };
  const conditions = [...documents.conditions, ...filter];
  return { names, table: documents.table, conditions, order: [raw(SEQ)] };
}
