/** The parts that the translators of expressions, clauses and subqueries share. */
import type { JsonValue } from "../../protocol/json.ts";
import type { Expression, Select } from "../syntax/tree.ts";
import type { Sql } from "./sql-text.ts";

/** Alias to the SQL of its value: JSON text, without bound values. */
export type Aliases = ReadonlyMap<string, string>;

/** The columns that a grouped query computes for each row before it groups. */
export interface GroupColumns {
  /** The columns of what is grouped by, by the printed expressions. */
  readonly keys: ReadonlyMap<string, Sql>;
  /** Adds a column with the value that an aggregate looks at. */
  add(value: Sql): Sql;
}

/** The container's documents as a source of rows, where a query may read them. */
export interface Documents {
  /** A table or subquery with the alias `d`. */
  readonly table: Sql;
  /** The columns of a document and of its place in the order of insertion. */
  readonly body: string;
  readonly seq: string;
  readonly conditions: readonly Sql[];
}

/**
 * A translator for one scope of names. `value` gives JSON text or NULL. `holds` and `fails` give conditions
 * that are true exactly where the expression is true, or false; an expression that is neither is undefined.
 * Both exist because NOT of undefined is undefined, and because conditions can be served by an index.
 */
export interface Translator {
  readonly parameters: ReadonlyMap<string, JsonValue>;
  readonly aliases: Aliases;
  /** Columns that the projection of a grouped query reads instead of the rows. */
  readonly group: GroupColumns | undefined;
  value(expression: Expression): Sql;
  holds(expression: Expression): Sql;
  fails(expression: Expression): Sql;
  /**
   * Writes a statement with the column `v`: one row for each result of a subquery, without undefined ones. It reads
   * the documents, if it may, or else the row that surrounds it.
   */
  rows(select: Select, documents?: Documents): Sql;
  /** Returns a name that no other part of the statement has. */
  freshName(): string;
  within(change: { readonly aliases?: Aliases; readonly group?: GroupColumns | undefined }): Translator;
}
