/** Runs statements that were translated. */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { Sql } from "../translate/sql-text.ts";

export type Row = Record<string, SQLOutputValue>;

/**
 * Values that a statement may have bound. SQLite compares each with all others when it prepares a statement, so
 * that tens of thousands, which fit into a query of 512 KB, would take minutes. Lists of constants count as one.
 */
const maxValues = 2000;

/** The rows of a statement, one by one. */
export function* rowsOf(db: DatabaseSync, statement: Sql): Generator<Row, void, undefined> {
  if (statement.values.length > maxValues) {
    throw tooComplex();
  }
  const prepared = withinLimits(() => db.prepare(statement.text));
  yield* withinLimits(() => prepared.iterate(...statement.values)) as Iterable<Row>;
}

/** The only row of a statement that counts or adds. */
export function firstRow(db: DatabaseSync, statement: Sql): Row {
  for (const row of rowsOf(db, statement)) {
    return row;
  }
  return {};
}

/** SQLite's limits on the size of a statement are met only by queries that no service would run. */
function withinLimits<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof Error && /too (large|many|complex|deep)|stack overflow/i.test(error.message)) {
      throw tooComplex(error);
    }
    throw error;
  }
}

function tooComplex(cause?: Error): CosmosError {
  const message =
    "The query is too complex. Use IN or ARRAY_CONTAINS with a list in the place of many conditions.";
  return CosmosError.badRequest(message, { cause });
}
