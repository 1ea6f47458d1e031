/** Sees the statements that SQLite runs. They are prepared once and kept, so that it has to be there from the start. */
import { DatabaseSync, StatementSync } from "node:sqlite";

export class StatementWatch implements Disposable {
  readonly #prepare = DatabaseSync.prototype.prepare;
  readonly #iterate = StatementSync.prototype.iterate;
  readonly #databases = new WeakMap<StatementSync, DatabaseSync>();
  #run: StatementSync[] = [];
  #prepared = 0;

  /** Watches connections that are opened from now on. */
  constructor() {
    const [prepare, iterate] = [this.#prepare, this.#iterate];
    const prepared = (database: DatabaseSync, statement: StatementSync): StatementSync => {
      this.#databases.set(statement, database);
      this.#prepared += 1;
      return statement;
    };
    const run = (statement: StatementSync): void => {
      this.#run.push(statement);
    };
    DatabaseSync.prototype.prepare = function (...args): StatementSync {
      return prepared(this, prepare.apply(this, args));
    };
    StatementSync.prototype.iterate = function (...values: unknown[]): ReturnType<typeof iterate> {
      run(this);
      return iterate.apply(this, values as Parameters<typeof iterate>);
    };
  }

  /** Returns SQLite's plans for the statements of queries that `act` runs, in their order. */
  plansOf(act: () => unknown): string[] {
    this.#run = [];
    act();
    return this.#run.flatMap((statement) => {
      const explain = `EXPLAIN QUERY PLAN ${statement.sourceSQL}`;
      const steps = this.#databases.get(statement)?.prepare(explain).all() ?? [];
      return steps.map((step) => String(step["detail"]));
    });
  }

  /** Counts the statements that `act` prepares. */
  preparedBy(act: () => unknown): number {
    const before = this.#prepared;
    act();
    return this.#prepared - before;
  }

  [Symbol.dispose](): void {
    DatabaseSync.prototype.prepare = this.#prepare;
    StatementSync.prototype.iterate = this.#iterate;
  }
}
