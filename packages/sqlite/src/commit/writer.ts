/**
 * Group commit: writes of one event-loop turn share one transaction and one sync of the disk. A flush runs the
 * queued operations, serves parked fetches from what has become visible, commits, and then settles the promise of
 * every caller (docs/decisions/0004-sqlite-group-commit.md).
 *
 * One kind of promise may be settled earlier: that of an orchestration fetch. A turn has no effect but its own
 * commit, so it may run while the transaction that locked its instance is still open, and its commit joins that
 * transaction: one sync of the disk for an activity's outcome, the turn that it causes, and the next activity's
 * start. Should the transaction fail, so does the turn's commit, with the lock that it never had. A transaction
 * stays open for one round of the event loop after each such answer, whether or not anything comes of it, so only
 * turns that are known to be short are answered early (early-turns.ts).
 *
 * W1  A promise is fulfilled only after its transaction was committed, except for those of early fetches.
 * W2  No transaction is open when a flush has ended, and nothing reads while one is open.
 * W3  A refused operation has written nothing; the others commit. When the store itself fails an operation,
 *     the transaction is rolled back and every operation gets a transaction of its own.
 * W4  A failed COMMIT rejects every caller, including the fetches that were served in it. So does one that went
 *     into a file that was deleted or replaced (database-file.ts).
 */
import { setImmediate as nextRound } from "node:timers/promises";
import type { Clock, Random } from "@duroxide-ts/core";
import { ProviderError } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import type { DatabaseFile } from "../connection/database-file.ts";
import { isBusy, toProviderError } from "../connection/sqlite-error.ts";
import type { Effects } from "./effects.ts";
import { FailedTransaction, OpenTransaction, type QueuedWrite, type Step } from "./open-transaction.ts";
import type { Transaction, WriteOperation } from "./transaction.ts";

/** Fetches that are served in the same transaction. */
export interface FetchQueues {
  /** Before a flush: whether it is worth a transaction although nothing is to be written. */
  wantTransaction(nowMs: number): boolean;
  serve(tx: Transaction): void;
  /** Answers the fetches that may run before the commit; true where there were any. */
  handOverEarly(): boolean;
  committed(effects: Effects): void;
  /** The transaction is undone and will be tried again. */
  rolledBack(): void;
  /** It is undone and will not be tried again. */
  failed(cause: unknown): void;
  /** After every flush, whatever came of it; `busy` if it came to nothing because another process writes. */
  flushed(nowMs: number, busy: boolean): void;
  /** The database was busy for so long that fetches from before this instant get an error. */
  giveUp(sinceMs: number, errorFor: (operation: string) => ProviderError): void;
}

export interface WriterOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly busyTimeoutMs: number;
  readonly queues: FetchQueues;
  /** Throws where what is committed now would be lost. */
  readonly file: Pick<DatabaseFile, "check" | "checkIfStale">;
  /** Called with the duration of each round of the event loop, ms. */
  readonly onRound: (ms: number) => void;
}

const LONGEST_BACK_OFF_MS = 20;

/** How many rounds a transaction waits for turns that began in it, so that it ends under any load. */
const MOST_ROUNDS = 8;

export class Writer {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #busyTimeoutMs: number;
  readonly #queues: FetchQueues;
  readonly #file: WriterOptions["file"];
  readonly #onRound: (ms: number) => void;
  #queue: QueuedWrite[] = [];
  /** Something asks for a flush. */
  #wanted = false;
  /** A flush runs, or waits for the database; it looks at `wanted` when it ends. */
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
    this.#busyTimeoutMs = options.busyTimeoutMs;
    this.#queues = options.queues;
    this.#file = options.file;
    this.#onRound = options.onRound;
  }

  /** Queues an operation. `name` is the contract method, for errors. */
  run<T>(name: string, operation: WriteOperation<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const queuedAtMs = this.#clock.now();
      this.#queue.push({ name, operation, queuedAtMs, resolve: resolve as (value: unknown) => void, reject });
      this.wake();
    });
  }

  /** Asks for a flush at the end of this event-loop turn. */
  wake(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    if (!this.#flushing) this.#flushNext();
  }

  /** Resolves when no transaction is open. */
  async settled(): Promise<void> {
    while (this.#open !== undefined) await this.#open;
  }

  /** Resolves when nothing is queued any more. */
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
      void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    this.#wanted = false;
    const isWorthIt = this.#queue.length > 0 || this.#fetchesWait(this.#clock.now());
    const busy = isWorthIt && !(await this.#attempt());
    const nowMs = this.#clock.now();
    // A search needs no lock, so fetches that find nothing need not wait for one.
    if (busy) this.#fetchesWait(nowMs);
    if (!this.#closing) this.#queues.flushed(nowMs, busy);
    if (busy && !this.#isGone()) return this.#backOff(nowMs);
    this.#flushing = false;
    if (this.#wanted) this.#flushNext();
    else if (this.#queue.length === 0) this.#idle?.();
  }

  /** A process may hold the lock of a deleted file for ever, so a busy database is checked for its file. */
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

  /** A search that fails leaves the failure to the transaction, which knows the callers to reject. */
  #fetchesWait(nowMs: number): boolean {
    if (this.#closing) return false;
    try {
      return this.#queues.wantTransaction(nowMs);
    } catch {
      return true;
    }
  }

  /** False: the database is busy, and what could not be written is queued again. */
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
      if (step === "work") return this.#separately(writes);
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

  /** After a failure of the store: each write gets its own transaction, so that one does not fail the others. */
  #separately(writes: QueuedWrite[]): boolean {
    this.#queues.rolledBack();
    for (const [index, write] of writes.entries()) {
      try {
        const tx = this.#begin();
        tx.run(write);
        this.#commit(tx);
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
      this.#commit(tx);
    } catch (error) {
      this.#queues.failed(failureOf(error).cause);
    }
    return true;
  }

  /** Runs what is queued, and what turns that begin in the transaction add to it; `writes` receives all of it. */
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
    this.#commit(tx);
  }

  #begin(): OpenTransaction {
    try {
      this.#file.checkIfStale();
    } catch (cause) {
      throw new FailedTransaction("begin", cause);
    }
    return new OpenTransaction(this.#db, this.#clock.now(), this.#random);
  }

  #serve(tx: OpenTransaction): void {
    if (this.#closing) return;
    try {
      this.#queues.serve(tx);
    } catch (error) {
      throw tx.failed("work", error);
    }
  }

  #commit(tx: OpenTransaction): void {
    tx.commit(() => this.#file.check());
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
