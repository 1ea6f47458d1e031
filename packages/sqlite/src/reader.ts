/** Reads: one statement or one snapshot, outside any transaction of the writer. */
import { type Clock, type Random, sleep } from "@duroxide-ts/core";
import type { Database } from "./database.ts";
import { isBusy, toProviderError } from "./sqlite-error.ts";

export interface ReaderOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly busyTimeoutMs: number;
}

const LONGEST_BACK_OFF_MS = 20;

export class Reader {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #busyTimeoutMs: number;

  constructor(options: ReaderOptions) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#busyTimeoutMs = options.busyTimeoutMs;
  }

  /** `name` is the contract method, for errors. Readers do not wait for writers, but for a recovery. */
  async read<T>(name: string, query: (db: Database) => T): Promise<T> {
    const giveUpMs = this.#clock.now() + this.#busyTimeoutMs;
    for (;;) {
      try {
        return query(this.#db);
      } catch (error) {
        if (!isBusy(error) || this.#clock.now() >= giveUpMs) throw toProviderError(name, error);
      }
      await sleep(this.#clock, Math.ceil(this.#random.next() * LONGEST_BACK_OFF_MS));
    }
  }
}

/** Several statements that see the same state, whatever other processes commit meanwhile. */
export function snapshot<T>(db: Database, query: () => T): T {
  db.run("BEGIN");
  try {
    return query();
  } finally {
    db.run("COMMIT");
  }
}
