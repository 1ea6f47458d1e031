/**
 * Syncs the log beside the event loop where the disk is slow (docs/decisions/sqlite-commits.md). A quick sync is part
 * of the commit, which SQLite waits for. A slow one would stop the handlers of the process for as long, so it runs in
 * the thread pool, after a commit that has only written the log.
 *
 * - log-sync.LS1: The callers of a commit, its fetches and its watchers get their answer after the sync that follows it,
 *   and reads wait for that sync too. So nothing that depends on an unsynced frame leaves this process or becomes an
 *   effect.
 * - log-sync.LS2: A sync covers every frame that was written before it began, of all processes. What another process
 *   stores on the ground of unsynced frames is a commit of its own, whose sync covers them.
 * - log-sync.LS3: A process announces in the file that its commits are synced apart. SQLite syncs the announcement, and
 *   the first such commit comes `ANNOUNCED_MS` later. Another process looks for announcements when its last look is
 *   `LOOK_MS` old; while there is one, it syncs the log before it answers a read.
 * - log-sync.LS4: A sync that fails is the failure of the commit. Its callers are told that it may be stored, and the
 *   next commits are synced by SQLite again, which reports what is wrong.
 * - log-sync.LS5: A process that cannot open the log itself, because it has no descriptor left for example, leaves its
 *   syncs to SQLite.
 */
import type { Clock, Logger } from "@duroxide-ts/core";
import { hasPassed, messageOf, ProviderError } from "@duroxide-ts/core/stores";
import type { CheckpointThread } from "../connection/checkpoint-thread.ts";
import type { Database } from "../connection/database.ts";
import type { Disk } from "../connection/disk.ts";
import { CHECKPOINT_PAGES } from "../connection/open-database.ts";

/** The process changes its way after so many more commits that speak for it than against it. */
const MANY_SLOW = 8;
const MANY_QUICK = 64;

const ANNOUNCED_MS = 1_000;
const LOOK_MS = 500;
/** An announcement ends by itself, because its process may die. */
const LASTING_MS = 120_000;

/**
 * Commits, or time, after which the log is copied into the database. SQLite does it by the size of the log. The first
 * commit after a copy begins the log again, and syncs its header on the thread of the process.
 */
const CHECKPOINT_COMMITS = 100;
const CHECKPOINT_MS = 5_000;

const ANNOUNCE = "UPDATE totals SET synced_apart_until = ?1 WHERE synced_apart_until < ?1";
const ANNOUNCED = "SELECT synced_apart_until FROM totals";

export interface LogSyncOptions {
  readonly db: Database;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly checkpoints: CheckpointThread;
  /** Whether commits survive a power failure. Otherwise nothing is synced. */
  readonly isNeeded: boolean;
}

export class LogSync {
  readonly #options: LogSyncOptions;
  /** Lead of slow commits over quick ones while SQLite syncs, of quick syncs over slow ones while this does. */
  #evidence = 0;
  /** Whether the process announces that its commits are synced apart. */
  #announces = false;
  /** Time of the announcement in the transaction that is about to be committed, ms. */
  #writtenMs: number | undefined;
  #renewMs = 0;
  /** Time from which commits may be synced apart, ms (log-sync.LS3). */
  #beginMs: number | undefined;
  #isApart = false;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #othersUntilMs = 0;
  /** State of the file whose log was synced for readers. */
  #syncedVersion: number | undefined;
  #commits = 0;
  #copiedMs = 0;

  constructor(options: LogSyncOptions) {
    this.#options = options;
  }

  /** Whether a commit has only written the log, so that `sync` has to follow. */
  get isApart(): boolean {
    return this.#isApart;
  }

  /** Called before each commit, in its transaction. */
  announce(nowMs: number): void {
    this.#writtenMs = undefined;
    if (!this.#announces || nowMs < this.#renewMs) return;
    this.#options.db.run(ANNOUNCE, nowMs + LASTING_MS);
    this.#writtenMs = nowMs;
  }

  /** Called after each commit whose callers were told, while no transaction is open. */
  committed(tookMs: number, nowMs: number): void {
    if (this.#writtenMs !== undefined) {
      this.#renewMs = this.#writtenMs + LASTING_MS / 2;
      this.#beginMs ??= nowMs + ANNOUNCED_MS;
    }
    if (!this.#options.isNeeded || this.#isApart) return;
    this.#weigh(tookMs >= this.#options.disk.slowMs);
    if (this.#evidence >= MANY_SLOW) this.#announces ||= this.#options.disk.open();
    else if (this.#evidence === 0) this.#withdraw();
    if (this.#beginMs !== undefined && nowMs >= this.#beginMs) this.#begin(nowMs);
  }

  /** Syncs what this process has committed (log-sync.LS1). Rejects with the error of the disk. */
  async sync(): Promise<void> {
    const { clock, disk } = this.#options;
    const sinceMs = clock.now();
    try {
      await disk.sync();
    } catch (error) {
      this.#end();
      throw failedSync(error);
    }
    this.#commits++;
    this.#weigh(clock.now() - sinceMs < disk.quickMs);
    if (this.#evidence >= MANY_QUICK) this.#end();
  }

  /** Called after a read: a promise if what it has seen is to be synced first (log-sync.LS3). */
  afterRead(): Promise<void> | undefined {
    const { isNeeded, clock, db, disk } = this.#options;
    if (!isNeeded) return undefined;
    const nowMs = clock.now();
    if (hasPassed(nowMs, this.#lookedMs, LOOK_MS)) {
      this.#lookedMs = nowMs;
      this.#othersUntilMs = db.get<{ synced_apart_until: number }>(ANNOUNCED)?.synced_apart_until ?? 0;
    }
    if (this.#othersUntilMs <= nowMs) return undefined;
    const version = db.dataVersion;
    if (version === this.#syncedVersion) return undefined;
    return disk.sync().then(() => {
      this.#syncedVersion = version;
    });
  }

  /** Copies the log into the database if it is time, in a thread. No commit may run meanwhile, or the log only grows. */
  async checkpoint(nowMs: number): Promise<void> {
    if (!this.#isApart || this.#commits === 0) return;
    if (this.#commits < CHECKPOINT_COMMITS && !hasPassed(nowMs, this.#copiedMs, CHECKPOINT_MS)) return;
    this.#commits = 0;
    this.#copiedMs = nowMs;
    await this.#options.checkpoints.run();
  }

  async close(): Promise<void> {
    await this.#options.checkpoints.close();
    await this.#options.disk.close();
  }

  #weigh(speaksForChange: boolean): void {
    this.#evidence = Math.max(0, this.#evidence + (speaksForChange ? 1 : -1));
  }

  #begin(nowMs: number): void {
    const { db, logger, disk } = this.#options;
    db.exec("PRAGMA synchronous = NORMAL");
    db.exec("PRAGMA wal_autocheckpoint = 0");
    this.#isApart = true;
    this.#evidence = 0;
    this.#commits = 0;
    this.#copiedMs = nowMs;
    logger.info(
      { event: "disk_slow", slow_ms: disk.slowMs },
      `commits have waited for the disk for ${disk.slowMs} ms or more; from now on the process goes on while the disk stores them`,
    );
  }

  /** Back to commits that SQLite syncs. */
  #end(): void {
    const { db } = this.#options;
    db.exec("PRAGMA synchronous = FULL");
    db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    this.#isApart = false;
    this.#evidence = 0;
    this.#withdraw();
  }

  /** Stops announcing. The announcement in the file ends by its time. */
  #withdraw(): void {
    this.#announces = false;
    this.#beginMs = undefined;
    this.#renewMs = 0;
  }
}

function failedSync(cause: unknown): ProviderError {
  return new ProviderError({
    code: "unavailable",
    operation: "commit",
    message: `the disk failed to store the log (${messageOf(cause)}); what was written may be stored or not; try again`,
    cause,
  });
}
