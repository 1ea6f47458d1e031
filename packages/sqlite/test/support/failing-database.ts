/** A database whose statements can be made to fail, as a disk would make them fail. */
import { SeededRandom, VirtualClock } from "@duroxide-ts/core/testing";
import { Database, type SqlValue } from "../../src/connection/database.ts";
import { toSettings } from "../../src/connection/options.ts";
import { OrchestrationSource } from "../../src/operations/fetch-orchestration-item.ts";
import { workSource } from "../../src/operations/fetch-work-item.ts";
import { migrate } from "../../src/schema/migrate.ts";
import { type Sources, Store } from "../../src/store.ts";

const IO_ERROR = 10;

export class FailingDatabase extends Database {
  /** Statements that were executed since the last `forget`. */
  readonly executed: string[] = [];
  #failing: string | undefined;

  forget(): void {
    this.executed.length = 0;
  }

  /** Lets this statement fail from now on whenever it is executed; `undefined` mends the disk. */
  failAt(sql: string | undefined): void {
    this.#failing = sql;
  }

  override run(sql: string, ...values: SqlValue[]): number {
    this.#step(sql);
    return super.run(sql, ...values);
  }

  override insert(sql: string, ...values: SqlValue[]): number {
    this.#step(sql);
    return super.insert(sql, ...values);
  }

  override get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    this.#step(sql);
    return super.get<Row>(sql, ...values);
  }

  override all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    this.#step(sql);
    return super.all<Row>(sql, ...values);
  }

  /** Everything that is stored, in a form that can be compared. */
  dump(): Record<string, unknown[]> {
    const tables = super.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
    );
    return Object.fromEntries(
      tables.map(({ name }) => [name, super.all(`SELECT * FROM ${name} ORDER BY 1, 2`)]),
    );
  }

  #step(sql: string): void {
    this.executed.push(sql);
    if (sql !== this.#failing) return;
    throw Object.assign(new Error("disk I/O error"), { code: "ERR_SQLITE_ERROR", errcode: IO_ERROR });
  }
}

/** All of these stores draw the same numbers, so the same operation executes the same statements in each. */
export function openFailing(): { readonly db: FailingDatabase; readonly store: Store } {
  const db = new FailingDatabase(":memory:");
  const random = new SeededRandom("disk");
  migrate(db);
  db.forget();
  const sources: Sources = {
    orchestrations: (earlyTurns) => new OrchestrationSource(earlyTurns),
    activities: workSource,
  };
  return {
    db,
    store: new Store({ db, files: undefined }, toSettings({ clock: new VirtualClock(), random }), sources),
  };
}
