/**
 * A thin driver over `node:sqlite`: statements are prepared once and kept, rows come back typed by their
 * caller. It owns the connection and nothing else: no transactions, no retries, no error translation.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";

export type SqlValue = string | number | null;

export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string) {
    this.#connection = new DatabaseSync(path);
  }

  /** Runs a script of any number of statements; nothing is kept. */
  exec(script: string): void {
    this.#connection.exec(script);
  }

  /** Returns how many rows the statement changed. */
  run(sql: string, ...values: SqlValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** Returns the rowid of the inserted row. */
  insert(sql: string, ...values: SqlValue[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  /** The first row, of the shape that the statement selects. */
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  /** All rows, of the shape that the statement selects. */
  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
