/**
 * A thin driver over `node:sqlite`: statements are prepared once and kept, and callers declare the types of rows. It
 * owns only the connection: it has no transactions, no retries, no error translation.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";

export type SqlValue = string | number | null;

/** A statement whose parameters may be numbered (`?1`), which `node:sqlite` binds by position only from 22.20. */
interface Prepared {
  readonly statement: StatementSync;
  /** Index of the value for each parameter in the order of the text; `undefined` if the orders are equal. */
  readonly order: readonly number[] | undefined;
}

export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();
  #changes = 0;

  constructor(path: string, { readOnly = false }: { readonly readOnly?: boolean } = {}) {
    this.#connection = new DatabaseSync(path, { readOnly });
  }

  /** Number of rows that were changed by `run` and `insert`. */
  get changes(): number {
    return this.#changes;
  }

  /** Changes with every commit of another connection, and with no commit of this one. */
  get dataVersion(): number | undefined {
    return this.get<{ data_version: number }>("PRAGMA data_version")?.data_version;
  }

  /** Runs a script of any number of statements; nothing is kept. */
  exec(script: string): void {
    this.#connection.exec(script);
  }

  /** Returns how many rows the statement changed. */
  run(sql: string, ...values: SqlValue[]): number {
    const { statement, order } = this.#prepare(sql);
    const changes = Number(statement.run(...inOrder(values, order)).changes);
    this.#changes += changes;
    return changes;
  }

  /** Returns the rowid of the inserted row. */
  insert(sql: string, ...values: SqlValue[]): number {
    const { statement, order } = this.#prepare(sql);
    this.#changes++;
    return Number(statement.run(...inOrder(values, order)).lastInsertRowid);
  }

  /** The first row, of the shape that the statement selects. */
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    const { statement, order } = this.#prepare(sql);
    return statement.get(...inOrder(values, order)) as Row | undefined;
  }

  /** All rows, of the shape that the statement selects. */
  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    const { statement, order } = this.#prepare(sql);
    return statement.all(...inOrder(values, order)) as Row[];
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#statements.get(sql);
    if (prepared === undefined) {
      const numbers = [...sql.matchAll(NUMBERED)].map(([, number]) => Number(number) - 1);
      prepared = {
        statement: this.#connection.prepare(sql.replaceAll(NUMBERED, "?")),
        order: numbers.length === 0 ? undefined : numbers,
      };
      this.#statements.set(sql, prepared);
    }
    return prepared;
  }
}

const NUMBERED = /\?(\d+)/g;

function inOrder(values: readonly SqlValue[], order: readonly number[] | undefined): readonly SqlValue[] {
  return order === undefined ? values : order.map((index) => values[index] ?? null);
}
