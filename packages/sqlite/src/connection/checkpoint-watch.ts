/**
 * Detects that the write-ahead log cannot be copied into the database, because a reader keeps a transaction open: the
 * log then grows with every commit, and every read becomes slower.
 *
 * - checkpoint-watch.C1: A check follows a commit, at most every ten seconds. For a small log it is one `stat`.
 * - checkpoint-watch.C2: A block is logged when each check of a minute has found it, because long reads are normal. It
 *   is logged once, and again only after a check that found none.
 */
import { statSync } from "node:fs";
import type { Clock, Logger } from "@duroxide-ts/core";
import { hasPassed } from "@duroxide-ts/core/stores";
import type { Database } from "./database.ts";
import { CHECKPOINT_PAGES, PAGE_BYTES } from "./open-database.ts";

const LOOK_EVERY_MS = 10_000;
const PATIENCE_MS = 60_000;

/** Twice the size at which a commit tries to copy the log. */
const MANY_PAGES = 2 * CHECKPOINT_PAGES;

export interface CheckpointWatchOptions {
  readonly db: Database;
  /** `undefined` for a database in memory, which has no log. */
  readonly path: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class CheckpointWatch {
  readonly #db: Database;
  readonly #path: string | undefined;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #blockedSinceMs: number | undefined;
  #told = false;

  constructor({ db, path, clock, logger }: CheckpointWatchOptions) {
    this.#db = db;
    this.#path = path;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Called after a commit, while no transaction is open. */
  committed(): void {
    const nowMs = this.#clock.now();
    if (this.#path === undefined || !hasPassed(nowMs, this.#lookedAtMs, LOOK_EVERY_MS)) return;
    this.#lookedAtMs = nowMs;
    const bytes = logBytes(this.#path);
    if (bytes <= MANY_PAGES * PAGE_BYTES || !this.#isBlocked()) {
      this.#blockedSinceMs = undefined;
      this.#told = false;
      return;
    }
    this.#blockedSinceMs ??= nowMs;
    if (this.#told || !hasPassed(nowMs, this.#blockedSinceMs, PATIENCE_MS)) return;
    this.#told = true;
    this.#logger.warn(
      { event: "checkpoints_blocked", path: this.#path, log_bytes: bytes },
      `the log ${this.#path}-wal has grown to ${Math.round(bytes / 2 ** 20)} MB, because a program that reads the database has kept a transaction open for a minute or more; end that transaction`,
    );
  }

  /** Runs a checkpoint. If it succeeds, a later commit starts the log from the beginning. */
  #isBlocked(): boolean {
    try {
      const row = this.#db.get<{ log: number; checkpointed: number }>("PRAGMA wal_checkpoint(PASSIVE)");
      return row !== undefined && row.log > MANY_PAGES && row.checkpointed < row.log;
    } catch {
      // The disk fails, which the next commit reports, or another checkpoint runs, which does not block the log.
      return false;
    }
  }
}

function logBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
