/** A database on a file that keeps what a process would leave which is killed at a statement of a transaction. */
import { copyFileSync, existsSync } from "node:fs";
import { Database, type SqlValue } from "../../src/connection/database.ts";

/** The files that a kill would leave. */
export interface Left {
  readonly path: string;
  /** The statement before which the process ends; the end of a commit has none. */
  readonly before: string | undefined;
  /** How many transactions were committed. */
  readonly commits: number;
}

export class KilledDatabase extends Database {
  /** One for each statement since `watch`. */
  readonly left: Left[] = [];
  readonly #path: string;
  readonly #copies: string;
  #isWatching = false;
  #isOpen = false;
  #commits = 0;

  /** `copies`: where copies of the file go, each with a number behind it. */
  constructor(path: string, copies: string) {
    super(path);
    this.#path = path;
    this.#copies = copies;
    // A kill leaves what was written, whether it is on the disk or not.
    this.exec("PRAGMA synchronous = OFF");
  }

  watch(): void {
    this.#isWatching = true;
  }

  override run(sql: string, ...values: SqlValue[]): number {
    return this.#watched(sql, () => super.run(sql, ...values));
  }

  override insert(sql: string, ...values: SqlValue[]): number {
    return this.#watched(sql, () => super.insert(sql, ...values));
  }

  override get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#watched(sql, () => super.get<Row>(sql, ...values));
  }

  override all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#watched(sql, () => super.all<Row>(sql, ...values));
  }

  #watched<T>(sql: string, execute: () => T): T {
    if (!this.#isWatching) return execute();
    if (sql === "BEGIN IMMEDIATE") this.#isOpen = true;
    if (this.#isOpen) this.#copy(sql);
    const result = execute();
    if (sql === "ROLLBACK") this.#isOpen = false;
    if (sql !== "COMMIT") return result;
    this.#isOpen = false;
    this.#commits++;
    this.#copy(undefined);
    return result;
  }

  /** The log without its index, which SQLite makes anew for the first process that opens the file. */
  #copy(before: string | undefined): void {
    const path = `${this.#copies}-${this.left.length}.db`;
    for (const end of ["", "-wal"]) {
      if (existsSync(this.#path + end)) copyFileSync(this.#path + end, path + end);
    }
    this.left.push({ path, before, commits: this.#commits });
  }
}
