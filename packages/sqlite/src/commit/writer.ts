/**
 * Group commit: writes of one event-loop turn share one transaction and one sync of the disk. A flush runs the
 * queued operations, serves parked fetches from what has become visible, commits, and then settles the promise of
 * every caller (docs/decisions/sqlite-commits.md).
 *
 * One kind of promise may be settled earlier: that of an orchestration fetch. A turn has no effect except its commit,
 * so it may run while the transaction that locked its instance is still open, and its commit joins that transaction:
 * one sync of the disk for an activity's outcome, the turn that it causes, and the next activity's start. If the
 * transaction fails, both the lock and the turn's commit fail. After each such early fetch the transaction stays open
 * for one round of the event loop, so only turns that are expected to be short are handed over early (early-turns.ts).
 *
 * - writer.W1: A promise is fulfilled only after its transaction was committed and synced (log-sync.ts), except for those
 *   of early fetches.
 * - writer.W2: No transaction is open when a flush has ended, and no read runs while one is open or waits for its sync,
 *   because readers share the connection and would read data that may be lost.
 * - writer.W3: A rejected operation has written nothing; the others commit. If the store fails an operation, the
 *   transaction is rolled back and every operation runs in its own transaction, so that one does not fail the others.
 * - writer.W4: A failed COMMIT rejects every caller, including the fetches that it served. So does a COMMIT into a file
 *   that was deleted or replaced (database-file.ts).
 */
import type { Clock, Random } from "@duroxide-ts/core";
import { nextRound, outside, ProviderError, setImmediate } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import type { DatabaseFile } from "../connection/database-file.ts";
import { isBusy, toProviderError } from "../connection/sqlite-error.ts";
import type { Effects } from "./effects.ts";
import type { LastStatuses } from "./last-statuses.ts";
import type { LockHolder } from "./lock-holder.ts";
import type { LogSync } from "./log-sync.ts";
import { FailedTransaction, OpenTransaction, type QueuedWrite, type Step } from "./open-transaction.ts";
import { StoreTime } from "./store-time.ts";
import type { Transaction, WriteOperation } from "./transaction.ts";

/** Fetches that are served in the same transaction. */
export interface FetchQueues {
  /** Called before a flush: whether a transaction is needed although there is nothing to write. */
  wantTransaction(nowMs: number): boolean;
  serve(tx: Transaction): void;
  /** Called when all due times may have changed. */
  lookAgain(): void;
  /** Settles the fetches that may run before the commit; true if there were any. */
  handOverEarly(): boolean;
  committed(effects: Effects): void;
  /** Called when the transaction was rolled back and will be retried. */
  rolledBack(): void;
  /** Called when it was rolled back and will not be retried. */
  failed(cause: unknown): void;
  /** Called after every flush; `busy` if it failed because another process writes. */
  flushed(nowMs: number, busy: boolean): void;
  /** Rejects fetches from before this time, because the database was busy for too long. */
  giveUp(sinceMs: number, errorFor: (operation: string) => ProviderError): void;
}

export interface WriterOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly holder: LockHolder;
  readonly busyTimeoutMs: number;
  readonly queues: FetchQueues;
  /** Throws if a commit would be lost. */
  readonly file: Pick<DatabaseFile, "check" | "checkIfStale">;
  /** Called with the duration of each round of the event loop, ms. */
  readonly onRound: (ms: number) => void;
  readonly logSync: LogSync;
  readonly lastStatuses: LastStatuses;
}

const LONGEST_BACK_OFF_MS = 20;

/** The most rounds that a transaction waits for turns that began in it, so that it ends under any load. */
const MOST_ROUNDS = 8;

export class Writer {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #holder: LockHolder;
  readonly #busyTimeoutMs: number;
  readonly #queues: FetchQueues;
  readonly #file: WriterOptions["file"];
  readonly #onRound: (ms: number) => void;
  readonly #logSync: LogSync;
  readonly #lastStatuses: LastStatuses;
  readonly #time: StoreTime;
  #queue: QueuedWrite[] = [];
  /** Whether a flush is requested. */
  #wanted = false;
  /** Whether a flush runs, or waits for the database; it reads `#wanted` when it ends. */
  #flushing = false;
  #busyAttempts = 0;
  #closing = false;
  #idle: (() => void) | undefined;
  /** Pending while a transaction is open across event-loop turns. */
  #open: Promise<void> | undefined;

  constructor(options: WriterOptions) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#holder = options.holder;
    this.#busyTimeoutMs = options.busyTimeoutMs;
    this.#queues = options.queues;
    this.#file = options.file;
    this.#onRound = options.onRound;
    this.#logSync = options.logSync;
    this.#lastStatuses = options.lastStatuses;
    this.#time = new StoreTime(options.db, () => options.queues.lookAgain());
  }

  /** Queues an operation. `name` is the contract method, for errors. */
  run<T>(name: string, operation: WriteOperation<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const queuedAtMs = this.#clock.now();
      this.#queue.push({ name, operation, queuedAtMs, resolve: resolve as (value: unknown) => void, reject });
      this.wake();
    });
  }

  /** Requests a flush at the end of this event-loop turn. */
  wake(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    if (!this.#flushing) this.#flushNext();
  }

  /** Whether a transaction is open. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Resolves when no transaction is open. */
  async settled(): Promise<void> {
    while (this.#open !== undefined) await this.#open;
  }

  /** Resolves when the queue is empty. */
  drain(): Promise<void> {
    this.#closing = true;
    if (this.#queue.length === 0 && this.#open === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle = resolve;
      this.wake();
    });
  }

  #flushNext(): void {
    const sinceMs = this.#clock.now();
    setImmediate(() => {
      this.#onRound(this.#clock.now() - sinceMs);
      // Not in the context of the call that came first, because it is for all of them.
      void outside(() => this.#flush());
    });
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    this.#wanted = false;
    const isWorthIt = this.#queue.length > 0 || this.#fetchesWait(this.#clock.now());
    const busy = isWorthIt && !(await this.#attempt());
    const nowMs = this.#clock.now();
    // A search needs no lock, so fetches without work need not wait for the lock.
    if (busy) this.#fetchesWait(nowMs);
    if (!this.#closing) this.#queues.flushed(nowMs, busy);
    if (busy && !this.#isGone()) return this.#backOff(nowMs);
    if (this.#logSync.isApart) await this.#logSync.checkpoint(nowMs);
    this.#flushing = false;
    if (this.#wanted) this.#flushNext();
    else if (this.#queue.length === 0) this.#idle?.();
  }

  /** Checks the file of a busy database, because a process may hold the lock of a deleted file without limit. */
  #isGone(): boolean {
    try {
      this.#file.check();
      return false;
    } catch (cause) {
      for (const write of this.#takeQueue()) write.reject(toProviderError(write.name, cause));
      this.#queues.failed(cause);
      return true;
    }
  }

  #takeQueue(): QueuedWrite[] {
    const writes = this.#queue;
    this.#queue = [];
    this.#wanted = false;
    return writes;
  }

  /** If the search fails, the transaction repeats the failure, because it has the list of the callers to reject. */
  #fetchesWait(nowMs: number): boolean {
    if (this.#closing) return false;
    try {
      return this.#time.isBack(nowMs) || this.#queues.wantTransaction(nowMs);
    } catch {
      return true;
    }
  }

  /** False if the database is busy; unwritten operations are queued again. */
  async #attempt(): Promise<boolean> {
    const writes: QueuedWrite[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#open = promise;
    try {
      await this.#transact(writes);
      this.#busyAttempts = 0;
      return true;
    } catch (error) {
      const { step, cause } = failureOf(error);
      if (isBusy(cause)) {
        this.#queues.rolledBack();
        this.#queue = writes.concat(this.#queue);
        return false;
      }
      if (step === "work") return await this.#separately(writes);
      // A transaction that did not begin has not taken the queue.
      if (step === "begin") writes.push(...this.#takeQueue());
      for (const write of writes) write.reject(toProviderError(write.name, cause));
      this.#queues.failed(cause);
      return true;
    } finally {
      this.#open = undefined;
      resolve();
    }
  }

  /** After a failure of the store: runs each write in its own transaction, so that one does not fail the others. */
  async #separately(writes: QueuedWrite[]): Promise<boolean> {
    this.#queues.rolledBack();
    for (const [index, write] of writes.entries()) {
      try {
        const tx = this.#begin();
        tx.run(write);
        await this.#commit(tx);
      } catch (error) {
        const { cause } = failureOf(error);
        if (isBusy(cause)) {
          this.#queue = writes.slice(index).concat(this.#queue);
          return false;
        }
        write.reject(toProviderError(write.name, cause));
      }
    }
    try {
      const tx = this.#begin();
      this.#serve(tx);
      await this.#commit(tx);
    } catch (error) {
      this.#queues.failed(failureOf(error).cause);
    }
    return true;
  }

  /** Runs queued operations, and those of turns that begin in the transaction; adds all of them to `writes`. */
  async #transact(writes: QueuedWrite[]): Promise<void> {
    const tx = this.#begin();
    for (let round = 1; ; round++) {
      const queued = this.#takeQueue();
      writes.push(...queued);
      for (const write of queued) tx.run(write);
      this.#serve(tx);
      if (this.#closing || round === MOST_ROUNDS || !this.#queues.handOverEarly()) break;
      const sinceMs = this.#clock.now();
      await nextRound();
      this.#onRound(this.#clock.now() - sinceMs);
    }
    const synced = this.#commit(tx);
    if (synced !== undefined) await synced;
  }

  #begin(): OpenTransaction {
    this.#lastStatuses.forget();
    try {
      this.#file.checkIfStale();
    } catch (cause) {
      throw new FailedTransaction("begin", cause);
    }
    const tx = new OpenTransaction(
      { db: this.#db, random: this.#random, holder: this.#holder },
      this.#clock.now(),
    );
    try {
      this.#time.pass(tx);
    } catch (error) {
      throw tx.failed("begin", error);
    }
    return tx;
  }

  #serve(tx: OpenTransaction): void {
    if (this.#closing) return;
    try {
      this.#queues.serve(tx);
    } catch (error) {
      throw tx.failed("work", error);
    }
  }

  /** A promise where the sync follows the commit. */
  #commit(tx: OpenTransaction): Promise<void> | undefined {
    const sinceMs = this.#clock.now();
    this.#logSync.announce(tx.nowMs);
    tx.commit();
    if (this.#logSync.isApart) return this.#syncApart(tx);
    this.#settle(tx, true);
    const nowMs = this.#clock.now();
    this.#logSync.committed(nowMs - sinceMs, nowMs);
    return undefined;
  }

  /** log-sync.LS1 */
  async #syncApart(tx: OpenTransaction): Promise<void> {
    try {
      await this.#logSync.sync();
    } catch (error) {
      throw tx.failed("commit", error);
    }
    this.#settle(tx, false);
    this.#logSync.committed(0, this.#clock.now());
  }

  /** The data is on the disk. A commit into a file that is gone is lost (database-file.D1). */
  #settle(tx: OpenTransaction, isJustNow: boolean): void {
    try {
      this.#file.check();
    } catch (error) {
      throw tx.failed("commit", error);
    }
    tx.settle();
    this.#lastStatuses.committed(tx.effects.statuses, tx.dataVersion, isJustNow);
    this.#time.committed();
    this.#holder.committed(tx.effects);
    this.#queues.committed(tx.effects);
  }

  #backOff(nowMs: number): void {
    const sinceMs = nowMs - this.#busyTimeoutMs;
    const busy = (name: string): ProviderError =>
      new ProviderError({
        code: "unavailable",
        operation: name,
        message: `another process kept the database locked for ${this.#busyTimeoutMs} ms; try again`,
      });
    const timedOut = this.#queue.filter((write) => write.queuedAtMs <= sinceMs);
    this.#queue = this.#queue.filter((write) => write.queuedAtMs > sinceMs);
    for (const write of timedOut) write.reject(busy(write.name));
    this.#queues.giveUp(sinceMs, busy);
    const ceilingMs = Math.min(LONGEST_BACK_OFF_MS, 2 ** this.#busyAttempts++);
    this.#clock.schedule(Math.ceil(this.#random.next() * ceilingMs), () => void this.#flush());
  }
}

function failureOf(error: unknown): { step: Step; cause: unknown } {
  return error instanceof FailedTransaction
    ? { step: error.step, cause: error.cause }
    : { step: "commit", cause: error };
}
