import type { Rows } from "../translate/from.ts";
import type { Sql } from "../translate/sql-text.ts";
import type { OrderKey } from "./order-columns.ts";

/** A translated query whose rows come from documents one by one. */
export interface DocumentQuery {
  readonly rows: Rows;
  readonly row: Sql;
  /** Whether rows can be NULL, which are no results. */
  readonly nullable: boolean;
  readonly conditions: readonly Sql[];
  readonly keys: readonly OrderKey[];
  readonly seq: string;
  /** Whether documents with equal order values come in the reverse order of insertion. */
  readonly reversed: boolean;
  readonly skip: number;
  readonly take: number | undefined;
}
