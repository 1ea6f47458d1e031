/**
 * A thin driver over `node:sqlite`: statements are prepared once and kept, rows come back typed by their caller.
 * It owns the connection and its nesting of transactions, and knows no table.
 *
 * - connection.CN1: A transaction ends at the depth at which it began.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { invariant } from "../../protocol/invariant.ts";

export class Connection {
  /** The database, for modules that compile their own statements (queries, patch conditions). */
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #depth = 0;

  constructor(path: string) {
    this.database = new DatabaseSync(path);
  }

  /** Runs a script of any number of statements; nothing is kept. */
  exec(script: string): void {
    this.database.exec(script);
  }

  /** Returns the kept statement with this text. */
  statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Runs a statement and returns how many rows it changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.statement(sql).run(...values).changes);
  }

  /** Returns the first row, of the shape that the statement selects. */
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.statement(sql).get(...values) as Row | undefined;
  }

  /** Returns all rows, of the shape that the statement selects. */
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.statement(sql).all(...values) as Row[];
  }

  /**
   * Returns rows one by one, for results that need not be read to their end. The statement must not run again
   * meanwhile.
   */
  iterate<Row>(sql: string, ...values: SQLInputValue[]): Iterable<Row> {
    return this.statement(sql).iterate(...values) as Iterable<unknown> as Iterable<Row>;
  }

  get isInTransaction(): boolean {
    return this.#depth > 0;
  }

  /**
   * Runs a transaction: all of what `run` writes, or nothing if it throws. May be nested: an inner failure undoes the
   * inner part only.
   */
  transaction<T>(run: () => T): T {
    const depth = this.#depth;
    this.#execute(depth === 0 ? "BEGIN IMMEDIATE" : `SAVEPOINT level${depth}`);
    this.#depth = depth + 1;
    try {
      const result = run();
      invariant(this.#depth === depth + 1, "connection.CN1");
      this.#execute(depth === 0 ? "COMMIT" : `RELEASE level${depth}`);
      this.#depth = depth;
      return result;
    } catch (error) {
      this.#depth = depth;
      this.#undo(depth);
      throw error;
    }
  }

  /** Runs on a state that is put back afterwards, whatever happened. */
  pretend<T>(run: () => T): T {
    const depth = this.#depth;
    this.#execute(depth === 0 ? "BEGIN IMMEDIATE" : `SAVEPOINT level${depth}`);
    this.#depth = depth + 1;
    try {
      return run();
    } finally {
      this.#depth = depth;
      this.#undo(depth);
    }
  }

  /** Drops the kept statements that name a table which is gone. */
  forget(table: string): void {
    for (const sql of this.#statements.keys()) {
      if (sql.includes(table)) this.#statements.delete(sql);
    }
  }

  close(): void {
    this.#statements.clear();
    this.database.close();
  }

  #undo(depth: number): void {
    if (depth > 0) {
      this.#execute(`ROLLBACK TO level${depth}`);
      this.#execute(`RELEASE level${depth}`);
      return;
    }
    try {
      this.#execute("ROLLBACK");
    } catch {
      // Some failures, such as a full disk, have ended the transaction already.
    }
  }

  #execute(sql: string): void {
    this.statement(sql).run();
  }
}
