/**
 * The long polls of one queue. A fetch is parked, looked after by the next flush of the writer, and stays until
 * it is served, its time is over or its signal aborts.
 *
 * Waiters with the same eligibility form a group, and one query serves a whole group. A group that was looked
 * after and found nothing is not looked after again in the same generation; a generation ends when something
 * may have become eligible: a write of this process, a commit of another one, a timer or a lock that falls due.
 */
import { type CancelTimer, type Clock, ProviderError } from "@duroxide-ts/core";
import type { Database } from "./database.ts";
import type { DueTimes, Effects } from "./effects.ts";
import type { Transaction } from "./transaction.ts";

export interface FetchRequest {
  readonly pollTimeoutMs: number;
  readonly signal?: AbortSignal;
}

/** A row that was locked for a waiter. */
export interface Served<Result> {
  readonly result: Result;
  /** The waiter may begin before the commit: nothing that happens then can be wrong should it fail. */
  readonly early: boolean;
}

/** What is particular to a queue. */
export interface FetchSource<Request, Result> {
  /** Equal for requests that accept the same rows; `undefined` where no row can match. */
  groupOf(request: Request): string | undefined;
  /** Whether a row seems to be eligible; takes no lock. */
  peek(db: Database, nowMs: number, request: Request): boolean;
  /** Locks a row for each of the requests, all of one group; at its index nothing where there is none for it. */
  take(tx: Transaction, requests: readonly Request[]): readonly (Served<Result> | undefined)[];
  dueTimes(effects: Effects): DueTimes;
  /** The earliest instant after `nowMs` at which a row falls due. */
  nextDueMs(db: Database, nowMs: number): number | undefined;
}

interface Waiter<Request, Result> {
  readonly request: Request;
  /** `undefined` where no row can match; the waiter only waits then. */
  readonly group: string | undefined;
  readonly parkedAtMs: number;
  readonly resolve: (result: Result | undefined) => void;
  readonly reject: (error: ProviderError) => void;
  cancelDeadline?: CancelTimer;
  stopListening?: () => void;
}

const MOST_REMEMBERED_GROUPS = 1_000;

export class ParkedFetches<Request extends FetchRequest, Result> {
  readonly #source: FetchSource<Request, Result>;
  readonly #clock: Clock;
  readonly #wake: () => void;
  readonly #waiters = new Set<Waiter<Request, Result>>();
  readonly #groups = new Map<string, Set<Waiter<Request, Result>>>();
  /** Parked since the last flush: not looked after yet, and without a timer for the end of their time. */
  #fresh = new Set<Waiter<Request, Result>>();
  /** Group → generation in which it ran out of rows. */
  readonly #exhausted = new Map<string, number>();
  #generation = 0;
  /** When a row falls due by itself. `undefined`: not known, so every group must look. */
  #nextDueMs: number | undefined;
  /** Whom the open transaction has given what. */
  readonly #served = new Map<Waiter<Request, Result>, Served<Result>>();

  constructor(source: FetchSource<Request, Result>, clock: Clock, wake: () => void) {
    this.#source = source;
    this.#clock = clock;
    this.#wake = wake;
  }

  /** How many wait. */
  get size(): number {
    return this.#waiters.size;
  }

  /** When to look again although nothing is written; infinite where nothing will fall due. */
  get nextDueMs(): number {
    return this.#nextDueMs ?? Number.POSITIVE_INFINITY;
  }

  fetch(request: Request): Promise<Result | undefined> {
    if (request.signal?.aborted) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const group = this.#source.groupOf(request);
      this.#park({ request, group, parkedAtMs: this.#clock.now(), resolve, reject });
      this.#wake();
    });
  }

  /** Something may have become eligible that this process did not write. */
  lookAgain(): void {
    this.#generation++;
    this.#nextDueMs = undefined;
  }

  /** Looks without a lock; false where a transaction would find nothing for anybody. */
  peek(db: Database, nowMs: number): boolean {
    this.#passTime(nowMs);
    let found = false;
    for (const [group, waiters] of this.#groups) {
      const [first] = waiters;
      if (first === undefined || !this.#mayFind(group)) continue;
      if (this.#source.peek(db, nowMs, first.request)) found = true;
      else this.#markExhausted(group, db, nowMs);
    }
    return found;
  }

  /**
   * Serves waiters inside a transaction, as often as it is asked. They learn of it by `committed`, or before
   * that by `handOverEarly`, and stay parked otherwise.
   */
  serve(tx: Transaction): void {
    this.#passTime(tx.nowMs);
    this.#noteDue(tx.effects);
    for (const [group, members] of this.#groups) {
      if (!this.#mayFind(group)) continue;
      const waiters = [...members].filter((waiter) => !this.#served.has(waiter));
      if (waiters.length === 0) continue;
      const requests = waiters.map(({ request }) => request);
      const results = this.#source.take(tx, requests);
      let unserved = 0;
      for (const [index, waiter] of waiters.entries()) {
        const served = results[index];
        if (served === undefined) unserved++;
        else this.#served.set(waiter, served);
      }
      if (unserved > 0) this.#markExhausted(group, tx.db, tx.nowMs);
    }
    this.#noteDue(tx.effects);
  }

  committed(effects: Effects): void {
    this.#noteDue(effects);
    for (const [waiter, { result }] of this.#takeServed(() => true)) this.#settle(waiter, result);
  }

  /** Gives those who may begin before the commit what they got; true where there were any. */
  handOverEarly(): boolean {
    const early = this.#takeServed((served) => served.early);
    for (const [waiter, { result }] of early) this.#settle(waiter, result);
    return early.length > 0;
  }

  /**
   * The transaction that served them failed, so nobody was given anything. With an error it will not be tried
   * again, and whoever it might have served learns why; fetches that had nothing to find go on waiting.
   */
  rolledBack(error?: ProviderError): void {
    const affected = new Set(this.#served.keys());
    this.#served.clear();
    if (error !== undefined) {
      for (const waiter of this.#waiters) if (this.#mayFind(waiter.group)) affected.add(waiter);
      for (const waiter of affected) this.#settle(waiter, error);
    }
    this.lookAgain();
  }

  /** After a flush: whoever found nothing goes, or waits for the rest of its time. */
  expire(nowMs: number): void {
    const undecided = new Set<Waiter<Request, Result>>();
    for (const waiter of this.#fresh) {
      const endMs = waiter.parkedAtMs + waiter.request.pollTimeoutMs;
      if (endMs > nowMs) {
        waiter.cancelDeadline = this.#clock.schedule(endMs - nowMs, () => this.#settle(waiter, undefined));
      } else if (this.#mayFind(waiter.group)) undecided.add(waiter);
      else this.#settle(waiter, undefined);
    }
    this.#fresh = undecided;
  }

  /** Fails those whose time is over and who could not even look, because the database stayed busy. */
  giveUp(sinceMs: number, error: ProviderError): void {
    for (const waiter of this.#fresh) if (waiter.parkedAtMs <= sinceMs) this.#settle(waiter, error);
  }

  close(): void {
    for (const waiter of this.#waiters) this.#settle(waiter, undefined);
  }

  #park(waiter: Waiter<Request, Result>): void {
    const { group } = waiter;
    const { signal } = waiter.request;
    this.#waiters.add(waiter);
    this.#fresh.add(waiter);
    if (group !== undefined) {
      const members = this.#groups.get(group);
      if (members === undefined) this.#groups.set(group, new Set([waiter]));
      else members.add(waiter);
    }
    if (signal === undefined) return;
    const onAbort = (): void => this.#settle(waiter, undefined);
    signal.addEventListener("abort", onAbort, { once: true });
    waiter.stopListening = () => signal.removeEventListener("abort", onAbort);
  }

  #settle(waiter: Waiter<Request, Result>, outcome: Result | ProviderError | undefined): void {
    const { group } = waiter;
    this.#waiters.delete(waiter);
    this.#fresh.delete(waiter);
    const members = group === undefined ? undefined : this.#groups.get(group);
    members?.delete(waiter);
    if (group !== undefined && members?.size === 0) this.#groups.delete(group);
    waiter.cancelDeadline?.();
    waiter.stopListening?.();
    if (ProviderError.is(outcome)) waiter.reject(outcome);
    else waiter.resolve(outcome);
  }

  #takeServed(which: (served: Served<Result>) => boolean): [Waiter<Request, Result>, Served<Result>][] {
    const taken = [...this.#served].filter(([, served]) => which(served));
    for (const [waiter] of taken) this.#served.delete(waiter);
    return taken;
  }

  #mayFind(group: string | undefined): boolean {
    return group !== undefined && this.#exhausted.get(group) !== this.#generation;
  }

  #markExhausted(group: string, db: Database, nowMs: number): void {
    if (this.#exhausted.size >= MOST_REMEMBERED_GROUPS) this.#exhausted.clear();
    this.#exhausted.set(group, this.#generation);
    this.#nextDueMs ??= this.#source.nextDueMs(db, nowMs) ?? Number.POSITIVE_INFINITY;
  }

  #passTime(nowMs: number): void {
    if (this.#nextDueMs === undefined || this.#nextDueMs <= nowMs) this.lookAgain();
  }

  #noteDue(effects: Effects): void {
    const due = this.#source.dueTimes(effects);
    if (due.now) this.#generation++;
    due.now = false;
    if (this.#nextDueMs !== undefined) this.#nextDueMs = Math.min(this.#nextDueMs, due.nextMs);
  }
}
