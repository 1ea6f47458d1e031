/**
 * Group commit: writes of one event-loop turn share one transaction and one sync of the disk. A flush runs the
 * queued operations, serves parked fetches from what has become visible, commits, and only then settles
 * anybody's promise (docs/decisions/0004-sqlite-group-commit.md).
 *
 * W1  A promise is fulfilled only after its transaction was committed.
 * W2  No transaction is open when a flush returns.
 * W3  A refused operation has written nothing; the others commit. When the store itself fails an operation,
 *     the transaction is rolled back and every operation gets a transaction of its own.
 * W4  A failed COMMIT rejects every caller, including the fetches that were served in it.
 */
import { type Clock, ProviderError, type Random } from "@duroxide-ts/core";
import type { Database } from "./database.ts";
import type { Effects } from "./effects.ts";
import { isBusy, toProviderError } from "./sqlite-error.ts";
import { newTransaction, type Transaction, type WriteOperation } from "./transaction.ts";

/** Fetches that are served in the same transaction. */
export interface CommitGuests {
  /** Before a flush: whether it is worth a transaction although nothing is to be written. */
  wantTransaction(nowMs: number): boolean;
  serve(tx: Transaction): void;
  committed(effects: Effects): void;
  /** Without an error the transaction will be tried again. */
  rolledBack(error?: ProviderError): void;
  /** After every flush, whatever came of it. */
  flushed(nowMs: number): void;
  /** The database was busy for so long that whoever came before this instant gets an error. */
  giveUp(sinceMs: number, error: ProviderError): void;
}

export interface WriterOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly busyTimeoutMs: number;
  readonly guests: CommitGuests;
}

interface QueuedWrite {
  readonly name: string;
  readonly operation: WriteOperation<unknown>;
  readonly queuedAtMs: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Outcome {
  readonly write: QueuedWrite;
  readonly value?: unknown;
  readonly refusal?: ProviderError;
}

type Step = "begin" | "work" | "commit";

/** Says where a transaction failed; never leaves this file. */
class FailedTransaction extends Error {
  readonly step: Step;
  constructor(step: Step, cause: unknown) {
    super("transaction failed", { cause });
    this.step = step;
  }
}

const LONGEST_BACK_OFF_MS = 20;

export class Writer {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #busyTimeoutMs: number;
  readonly #guests: CommitGuests;
  #queue: QueuedWrite[] = [];
  #flushScheduled = false;
  #busyAttempts = 0;
  #closing = false;
  #idle: (() => void) | undefined;

  constructor(options: WriterOptions) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#busyTimeoutMs = options.busyTimeoutMs;
    this.#guests = options.guests;
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
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    setImmediate(() => this.#flush());
  }

  /** Resolves when nothing is queued any more. */
  drain(): Promise<void> {
    this.#closing = true;
    if (this.#queue.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle = resolve;
      this.wake();
    });
  }

  #flush(): void {
    this.#flushScheduled = false;
    const writes = this.#queue;
    this.#queue = [];
    const nowMs = this.#clock.now();
    const busy = (writes.length > 0 || this.#guestsWait(nowMs)) && !this.#attempt(writes);
    // A look needs no lock, so whoever has nothing to find need not wait for one.
    if (busy) this.#guestsWait(nowMs);
    if (!this.#closing) this.#guests.flushed(nowMs);
    if (busy) this.#backOff(nowMs);
    if (this.#queue.length === 0) this.#idle?.();
  }

  /** A look that fails leaves the failure to the transaction, which knows whom to tell. */
  #guestsWait(nowMs: number): boolean {
    if (this.#closing) return false;
    try {
      return this.#guests.wantTransaction(nowMs);
    } catch {
      return true;
    }
  }

  /** False: the database is busy, and what could not be written is queued again. */
  #attempt(writes: QueuedWrite[]): boolean {
    try {
      this.#transact(writes, true);
      this.#busyAttempts = 0;
      return true;
    } catch (error) {
      const { step, cause } = failureOf(error);
      if (isBusy(cause)) {
        this.#guests.rolledBack();
        this.#queue = writes.concat(this.#queue);
        return false;
      }
      if (step === "work") return this.#separately(writes);
      for (const write of writes) write.reject(toProviderError(write.name, cause));
      this.#guests.rolledBack(toProviderError("fetch", cause));
      return true;
    }
  }

  /** After a failure of the store: everybody gets a transaction, so that one cannot spoil it for the rest. */
  #separately(writes: QueuedWrite[]): boolean {
    this.#guests.rolledBack();
    for (const [index, write] of writes.entries()) {
      try {
        this.#transact([write], false);
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
      this.#transact([], true);
    } catch (error) {
      this.#guests.rolledBack(toProviderError("fetch", failureOf(error).cause));
    }
    return true;
  }

  #transact(writes: readonly QueuedWrite[], withGuests: boolean): void {
    let step: Step = "begin";
    const tx = newTransaction(this.#db, this.#clock.now(), this.#random);
    const outcomes: Outcome[] = [];
    try {
      this.#db.run("BEGIN IMMEDIATE");
      step = "work";
      for (const write of writes) outcomes.push(runWrite(write, tx));
      if (withGuests && !this.#closing) this.#guests.serve(tx);
      tx.effects.storeTotals(this.#db);
      step = "commit";
      this.#db.run("COMMIT");
    } catch (error) {
      if (step !== "begin") this.#rollBack();
      throw new FailedTransaction(step, error);
    }
    for (const { write, value, refusal } of outcomes) {
      if (refusal === undefined) write.resolve(value);
      else write.reject(refusal);
    }
    this.#guests.committed(tx.effects);
  }

  /** SQLite has ended the transaction by itself after some errors, and ROLLBACK then fails. */
  #rollBack(): void {
    try {
      this.#db.run("ROLLBACK");
    } catch {}
  }

  #backOff(nowMs: number): void {
    const sinceMs = nowMs - this.#busyTimeoutMs;
    const busy = (name: string): ProviderError =>
      new ProviderError({
        code: "unavailable",
        operation: name,
        message: `another process kept the database locked for ${this.#busyTimeoutMs} ms; try again`,
      });
    const tired = this.#queue.filter((write) => write.queuedAtMs <= sinceMs);
    this.#queue = this.#queue.filter((write) => write.queuedAtMs > sinceMs);
    for (const write of tired) write.reject(busy(write.name));
    this.#guests.giveUp(sinceMs, busy("fetch"));
    const ceilingMs = Math.min(LONGEST_BACK_OFF_MS, 2 ** this.#busyAttempts++);
    this.#flushScheduled = true;
    this.#clock.schedule(Math.ceil(this.#random.next() * ceilingMs), () => this.#flush());
  }
}

function runWrite(write: QueuedWrite, tx: Transaction): Outcome {
  try {
    return { write, value: write.operation(tx) };
  } catch (error) {
    if (ProviderError.is(error)) return { write, refusal: error };
    throw error;
  }
}

function failureOf(error: unknown): { step: Step; cause: unknown } {
  return error instanceof FailedTransaction
    ? { step: error.step, cause: error.cause }
    : { step: "commit", cause: error };
}
