/**
 * Decides when parked fetches search for rows: in every flush of this process, when a timer or a lock falls due, and
 * within a poll interval of another process's commit. It owns the timers for that.
 *
 * - wake-ups.U1: While fetches are parked, a timer runs that ends at the poll interval or earlier, unless no other
 *   process can see the database. So a commit of another process is noticed within that interval.
 * - wake-ups.U2: While fetches are parked, a timer runs that ends no later than the first row of their queues that is
 *   known to fall due by itself.
 * - wake-ups.U3: No timer runs while nothing is parked, because a timer keeps the process alive.
 * - wake-ups.U4: Idle parked fetches cost one `PRAGMA data_version` and one look at the file per interval, whatever
 *   their number.
 */
import type { CancelTimer, Clock } from "@duroxide-ts/core";
import type { ProviderError } from "@duroxide-ts/core/stores";
import type { Effects } from "../commit/effects.ts";
import type { Transaction } from "../commit/transaction.ts";
import type { FetchQueues } from "../commit/writer.ts";
import type { Database } from "../connection/database.ts";
import { StoreGone } from "../connection/store-gone.ts";
import type { DeadHolders } from "./dead-holders.ts";

/** The long polls of one queue (parked-fetches.ts). */
export interface ParkedQueue {
  /** The number of waiting fetches. */
  readonly size: number;
  /** Time of the next search without a write, ms; infinite if no row will fall due. */
  readonly nextDueMs: number;
  lookAgain(): void;
  peek(db: Database, nowMs: number): boolean;
  prepare(tx: Transaction): void;
  serve(tx: Transaction): void;
  handOverEarly(): boolean;
  committed(effects: Effects): void;
  rolledBack(): void;
  failed(cause: unknown): void;
  refuse(cause: unknown): void;
  expire(nowMs: number, busy: boolean): void;
  giveUp(sinceMs: number, errorFor: (operation: string) => ProviderError): void;
  close(): void;
}

export interface WakeUpOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** `undefined` if no other process can open the database. */
  readonly pollIntervalMs: number | undefined;
  /** Throws StoreGone if the file was deleted or replaced. */
  readonly checkFile: () => void;
  /** Requests a flush of the writer. */
  readonly wake: () => void;
  readonly queues: readonly ParkedQueue[];
  readonly deadHolders: DeadHolders;
  /** Called with the effects of a committed transaction. */
  readonly onCommit: (effects: Effects) => void;
}

export class WakeUps implements FetchQueues {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #pollIntervalMs: number | undefined;
  readonly #checkFile: () => void;
  readonly #wake: () => void;
  readonly #queues: readonly ParkedQueue[];
  readonly #deadHolders: DeadHolders;
  readonly #onCommit: (effects: Effects) => void;
  #dataVersion: number | undefined;
  #cancelPoll: CancelTimer | undefined;
  #cancelDue: CancelTimer | undefined;
  #dueMs = Number.POSITIVE_INFINITY;

  constructor(options: WakeUpOptions) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#pollIntervalMs = options.pollIntervalMs;
    this.#checkFile = options.checkFile;
    this.#wake = options.wake;
    this.#queues = options.queues;
    this.#deadHolders = options.deadHolders;
    this.#onCommit = options.onCommit;
  }

  wantTransaction(nowMs: number): boolean {
    if (!this.#fetchesWait()) return false;
    this.#noticeOtherProcesses(this.#db.dataVersion);
    const isAnyDead = this.#deadHolders.look(this.#db, nowMs);
    return this.#queues.map((queue) => queue.peek(this.#db, nowMs)).includes(true) || isAnyDead;
  }

  serve(tx: Transaction): void {
    if (this.#fetchesWait()) {
      this.#noticeOtherProcesses(tx.dataVersion);
      this.#deadHolders.free(tx);
    }
    for (const queue of this.#queues) queue.prepare(tx);
    for (const queue of this.#queues) queue.serve(tx);
  }

  lookAgain(): void {
    for (const queue of this.#queues) queue.lookAgain();
  }

  handOverEarly(): boolean {
    return this.#queues.map((queue) => queue.handOverEarly()).includes(true);
  }

  committed(effects: Effects): void {
    this.#deadHolders.committed();
    for (const queue of this.#queues) queue.committed(effects);
    this.#onCommit(effects);
  }

  rolledBack(): void {
    for (const queue of this.#queues) queue.rolledBack();
  }

  failed(cause: unknown): void {
    for (const queue of this.#queues) {
      if (cause instanceof StoreGone) queue.refuse(cause);
      else queue.failed(cause);
    }
  }

  flushed(nowMs: number, busy: boolean): void {
    for (const queue of this.#queues) queue.expire(nowMs, busy);
    this.#arm(nowMs);
  }

  giveUp(sinceMs: number, errorFor: (operation: string) => ProviderError): void {
    for (const queue of this.#queues) queue.giveUp(sinceMs, errorFor);
  }

  close(): void {
    this.#disarm();
    for (const queue of this.#queues) queue.close();
  }

  #fetchesWait(): boolean {
    return this.#queues.some((queue) => queue.size > 0);
  }

  #noticeOtherProcesses(dataVersion: number | undefined): void {
    if (this.#pollIntervalMs === undefined) return;
    this.#checkFile();
    if (dataVersion === this.#dataVersion) return;
    this.#dataVersion = dataVersion;
    this.lookAgain();
  }

  /** wake-ups.U3 */
  #disarm(): void {
    this.#cancelPoll?.();
    this.#cancelDue?.();
    this.#cancelPoll = undefined;
    this.#cancelDue = undefined;
    this.#dueMs = Number.POSITIVE_INFINITY;
  }

  #arm(nowMs: number): void {
    if (!this.#fetchesWait()) {
      this.#disarm();
      return;
    }
    if (this.#pollIntervalMs !== undefined) {
      this.#cancelPoll ??= this.#clock.schedule(this.#pollIntervalMs, () => this.#poll());
    }
    const dueMs = Math.min(...this.#queues.filter(({ size }) => size > 0).map(({ nextDueMs }) => nextDueMs));
    if (dueMs >= this.#dueMs) return;
    this.#cancelDue?.();
    this.#dueMs = dueMs;
    this.#cancelDue = this.#clock.schedule(dueMs - nowMs, () => this.#fallDue());
  }

  #poll(): void {
    this.#cancelPoll = undefined;
    if (this.#fetchesWait()) this.#wake();
  }

  #fallDue(): void {
    this.#cancelDue = undefined;
    this.#dueMs = Number.POSITIVE_INFINITY;
    if (this.#fetchesWait()) this.#wake();
  }
}
