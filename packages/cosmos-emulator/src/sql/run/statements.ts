/**
 * Runs translated statements on one connection. SQLite takes about as long to prepare a statement as to run one
 * that an index serves, so that those which were used last are kept. It prepares a kept one anew by itself when
 * tables or indexes have changed.
 *
 * Node 22 loses what a function throws inside another call or a condition: the statement continues, and returns rows.
 * So the functions report their failures here as well, and each step of a statement looks for one.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { registerFunctions } from "../functions/register.ts";
import type { Sql } from "../translate/sql-text.ts";

export type Row = Record<string, SQLOutputValue>;

/**
 * Number of statements that are kept. Programs send few texts, each of which needs one to four statements; a prepared
 * one has some ten kilobytes.
 */
const MAX_KEPT = 250;

/**
 * Largest number of values of a statement. SQLite compares each with all others when it prepares a statement, so that
 * tens of thousands, which fit into a query of 512 KB, would take minutes. Lists of constants count as one.
 */
const MAX_VALUES = 2000;

/**
 * Largest number of rows of joins in one statement, some seconds of work. It grows with the power of the joins, and
 * nothing ends a statement that runs.
 */
const MAX_JOINED = 2_000_000;

/** The statements of one connection, for as long as it is open. */
export class Statements {
  readonly #db: DatabaseSync;
  /** Statements by their text, the one that was used last at the end. Those that are running are not among them. */
  readonly #kept = new Map<string, StatementSync>();
  /** First failure of a function since the last step, which newer versions of Node throw. */
  #failure: { readonly error: unknown } | undefined;
  /** Number of rows of joins since the last statement began. */
  #joined = 0;

  /**
   * Registers the functions that translated statements call, once for each connection.
   * @param now Milliseconds since the epoch.
   */
  constructor(db: DatabaseSync, now: () => number) {
    this.#db = db;
    registerFunctions(db, now, {
      onFailure: (error) => {
        this.#failure ??= { error };
      },
      mayJoin: () => this.#mayJoin(),
    });
  }

  /**
   * Reads the rows of a statement, one by one. Throws what a function throws, and CosmosError 400 for a statement
   * that is beyond SQLite's limits.
   */
  *rows({ text, values }: Sql): Generator<Row, void, undefined> {
    if (values.length > MAX_VALUES) throw tooComplex();
    let failed = false;
    this.#joined = 0;
    const statement = this.#take(text);
    try {
      for (const row of statement.iterate(...values) as Iterable<Row>) {
        this.#throwFailure();
        yield row;
      }
      this.#throwFailure();
    } catch (error) {
      // What failed would report its failure once more when it is run again.
      failed = true;
      this.#failure = undefined;
      throw isBeyondLimits(error) ? tooComplex(error) : error;
    } finally {
      if (!failed) this.#keep(text, statement);
    }
  }

  /** Reads the only row of a statement that counts or adds. */
  first(statement: Sql): Row {
    for (const row of this.rows(statement)) return row;
    return {};
  }

  /** After too many rows no further one is joined, so the statement ends soon. */
  #mayJoin(): boolean {
    this.#joined += 1;
    if (this.#joined <= MAX_JOINED) return true;
    this.#failure ??= { error: tooManyRows() };
    return false;
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #take(text: string): StatementSync {
    const kept = this.#kept.get(text);
    if (kept !== undefined) {
      this.#kept.delete(text);
      return kept;
    }
    try {
      return this.#db.prepare(text);
    } catch (error) {
      throw isBeyondLimits(error) ? tooComplex(error) : error;
    }
  }

  #keep(text: string, statement: StatementSync): void {
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= MAX_KEPT) this.#kept.delete(oldest);
    this.#kept.set(text, statement);
  }
}

/**
 * Tells whether a statement is beyond SQLite's limits. Those on the size of a statement are met only by queries that
 * no service would run.
 */
function isBeyondLimits(error: unknown): error is Error {
  const isSqlites = error instanceof Error && !(error instanceof CosmosError);
  return isSqlites && /too (big|large|many|complex|deep)|stack overflow/i.test(error.message);
}

function tooManyRows(): CosmosError {
  return CosmosError.badRequest(
    `The query joins more than ${MAX_JOINED.toLocaleString("en")} rows. Filter the arrays in subqueries, or join fewer.`,
  );
}

function tooComplex(cause?: Error): CosmosError {
  const message =
    "The query is too complex. Use IN or ARRAY_CONTAINS with a list in the place of many conditions.";
  return CosmosError.badRequest(message, { cause });
}
