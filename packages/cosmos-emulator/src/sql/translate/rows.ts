/** The rows of a query: the documents that pass its filter, or a single row where it reads none. */
import type { Select } from "../syntax/tree.ts";
import { raw, type Sql } from "./sql-text.ts";
import { type Documents, SEQ, type Translator } from "./translator.ts";

/** The rows, as parts of a statement. */
export interface Rows {
  readonly translator: Translator;
  /** The table of the documents; undefined in a query without FROM. */
  readonly table: Sql | undefined;
  readonly conditions: readonly Sql[];
  /** The order of rows where nothing else decides. */
  readonly order: readonly Sql[];
}

export function translateRows(
  { from, where }: Pick<Select, "from" | "where">,
  translator: Translator,
  documents: Documents,
): Rows {
  const filter = where === undefined ? [] : [translator.holds(where)];
  if (from === undefined) return { translator, table: undefined, conditions: filter, order: [] };
  const conditions = [...documents.conditions, ...filter];
  return { translator, table: documents.table, conditions, order: [raw(SEQ)] };
}
