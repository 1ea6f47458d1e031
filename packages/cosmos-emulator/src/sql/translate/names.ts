/** The parts that the translators of expressions and clauses share. */
import type { JsonValue } from "../../protocol/json.ts";
import type { Sql } from "./sql-text.ts";

/** The columns that a grouped query computes for each row before it groups. */
export interface GroupColumns {
  /** The columns of what is grouped by, by the printed expressions. */
  readonly keys: ReadonlyMap<string, Sql>;
  /** Adds a column with the value that an aggregate looks at. */
  add(value: Sql): Sql;
}

/** The column of a document, and that of its place in the order of insertion. */
export const BODY = "d.body";
export const SEQ = "d.seq";

/** The container's documents as a source of rows. */
export interface Documents {
  /** A table or subquery with the alias `d`. */
  readonly table: Sql;
  readonly conditions: readonly Sql[];
}

/** Meanings of the names and parameters in an expression. */
export interface Names {
  readonly parameters: ReadonlyMap<string, JsonValue>;
  /** The name of the document; undefined in a query without FROM. */
  readonly document: string | undefined;
  /** Columns that the projection of a grouped query reads instead of the rows. */
  readonly group?: GroupColumns;
}
