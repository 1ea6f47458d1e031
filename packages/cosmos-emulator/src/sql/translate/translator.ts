/** The parts that the translators of expressions and clauses share. */
import type { JsonValue } from "../../protocol/json.ts";
import type { Expression } from "../syntax/tree.ts";
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

/**
 * A translator of expressions. `value` gives JSON text or NULL. `holds` and `fails` give conditions
 * that are true exactly where the expression is true, or false; an expression that is neither is undefined.
 * Both exist because NOT of undefined is undefined, and because conditions can be served by an index.
 */
export interface Translator {
  readonly parameters: ReadonlyMap<string, JsonValue>;
  /** The name of the document; undefined in a query without FROM. */
  readonly document: string | undefined;
  /** Columns that the projection of a grouped query reads instead of the rows. */
  readonly group: GroupColumns | undefined;
  value(expression: Expression): Sql;
  holds(expression: Expression): Sql;
  fails(expression: Expression): Sql;
  grouped(group: GroupColumns | undefined): Translator;
}
