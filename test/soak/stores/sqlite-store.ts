/**
 * One file for all processes, with a size limit. A connection without the limit fills the file, so the disk is full for
 * the other processes until the connection frees the pages.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import type { SoakStore } from "./soak-store.ts";

const CHUNK_BYTES = 2 * 1024 * 1024;

/** Size that an innocent instance and its part of the hostile ones take at most. */
const BYTES_PER_INSTANCE = 80 * 1024;
const LEAST_BYTES = 24 * 1024 * 1024;

export async function openSqliteStore(instances: number): Promise<SoakStore> {
  const folder = await mkdtemp(path.join(tmpdir(), "duroxide-soak-"));
  const file = path.join(folder, "soak.db");
  const maxSizeBytes = LEAST_BYTES + instances * BYTES_PER_INSTANCE;
  const provider = await SqliteProvider.open(file);
  const filler = new Filler(file, maxSizeBytes);
  return {
    address: { kind: "sqlite", file, maxSizeBytes },
    provider,
    async spoil() {
      await filler.fill();
      return "full";
    },
    mend: () => filler.empty(),
    isHeld: () => filler.isLocked(),
    async [Symbol.asyncDispose]() {
      await provider.close();
      filler.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

class Filler {
  readonly #db: DatabaseSync;
  readonly #pages: number;

  constructor(file: string, maxSizeBytes: number) {
    this.#db = new DatabaseSync(file);
    this.#db.exec("PRAGMA busy_timeout = 5");
    this.#pages = Math.floor(maxSizeBytes / this.#number("page_size"));
  }

  /** Writes until the file has reached the limit and has no free page. */
  async fill(): Promise<void> {
    await this.#persist("CREATE TABLE IF NOT EXISTS soak_filler (data BLOB)");
    while (this.#number("page_count") < this.#pages || this.#number("freelist_count") > 0) {
      const missing = Math.max(0, this.#pages - this.#number("page_count")) + this.#number("freelist_count");
      const bytes = Math.min(CHUNK_BYTES, Math.max(1, missing) * this.#number("page_size"));
      await this.#persist(`INSERT INTO soak_filler VALUES (zeroblob(${bytes}))`);
    }
  }

  async empty(): Promise<void> {
    await this.#persist("DROP TABLE IF EXISTS soak_filler");
  }

  async isLocked(): Promise<boolean> {
    for (let look = 0; look < 4; look++) {
      if (this.#tries("BEGIN IMMEDIATE") && this.#tries("ROLLBACK")) return false;
      await sleep(50);
    }
    return true;
  }

  close(): void {
    this.#db.close();
  }

  /** Writers of other processes come first. */
  async #persist(sql: string): Promise<void> {
    while (!this.#tries(sql)) await sleep(10);
  }

  /** False while another process writes. */
  #tries(sql: string): boolean {
    try {
      this.#db.exec(sql);
      return true;
    } catch (error) {
      if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
      throw error;
    }
  }

  #number(pragma: string): number {
    return Number(this.#db.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
  }
}

const SQLITE_BUSY = 5;
