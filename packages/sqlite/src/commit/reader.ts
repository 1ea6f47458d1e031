/** Reads: one statement or one snapshot, never inside a transaction of the writer, which shares the connection. */
import type { Clock, Random } from "@duroxide-ts/core";
import { invariant, sleep } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { isBusy, toProviderError } from "../connection/sqlite-error.ts";
import type { LogSync } from "./log-sync.ts";
import type { Writer } from "./writer.ts";

export interface ReaderOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly busyTimeoutMs: number;
  readonly writer: Pick<Writer, "isOpen" | "settled">;
  readonly logSync: Pick<LogSync, "afterRead">;
}

const LONGEST_BACK_OFF_MS = 20;

export class Reader {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #busyTimeoutMs: number;
  readonly #writer: Pick<Writer, "isOpen" | "settled">;
  readonly #logSync: Pick<LogSync, "afterRead">;

  constructor(options: ReaderOptions) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#busyTimeoutMs = options.busyTimeoutMs;
    this.#writer = options.writer;
    this.#logSync = options.logSync;
  }

  /** `name` is the contract method, for errors. Readers do not wait for writers, but wait for a recovery of the log. */
  async read<T>(name: string, query: (db: Database) => T): Promise<T> {
    const giveUpMs = this.#clock.now() + this.#busyTimeoutMs;
    for (;;) {
      await this.#writer.settled();
      try {
        invariant(!this.#writer.isOpen, "writer.W2");
        const found = query(this.#db);
        const unsynced = this.#logSync.afterRead();
        if (unsynced !== undefined) await unsynced;
        return found;
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
