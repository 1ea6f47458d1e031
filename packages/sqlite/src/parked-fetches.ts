/**
 * The long polls of one queue. A fetch is parked, looked after by the next flush of the writer, and stays until
 * it is served, its time is over or its signal aborts.
 *
 * Waiters that accept the same rows form a group, and one query serves a whole group. Where rows may be reserved
 * for one of several owners (sessions), a group is made of owners, and each may look in vain by itself.
 */
import { type CancelTimer, type Clock, ProviderError } from "@duroxide-ts/core";
import { AbortListeners } from "./abort-listeners.ts";
import type { Database } from "./database.ts";
import type { DueTimes, Effects } from "./effects.ts";
import { toProviderError } from "./sqlite-error.ts";
import type { Transaction } from "./transaction.ts";
import { VainLooks } from "./vain-looks.ts";

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

/** What a look on behalf of several requests came to. */
export interface Look<Found> {
  /** At the index of each request; nothing where there is no row for it. */
  readonly found: readonly (Found | undefined)[];
  /** No row is left for any request of the group, whoever its owner is. */
  readonly nothingLeft: boolean;
}

/** What is particular to a queue. */
export interface FetchSource<Request, Result> {
  /** The contract method, for errors. */
  readonly operation: string;
  /** Equal for requests that accept the same rows; `undefined` where no row can match. */
  groupOf(request: Request): string | undefined;
  /** Tells requests of a group apart for which different rows may be reserved. */
  ownerOf(request: Request): string;
  /** For which of the requests, all of one group, a row seems to be eligible; takes no lock. */
  peek(db: Database, nowMs: number, requests: readonly Request[]): Look<true>;
  /** Locks a row for each of the requests, all of one group, while there are any. */
  take(tx: Transaction, requests: readonly Request[]): Look<Served<Result>>;
  dueTimes(effects: Effects): DueTimes;
  /** The earliest instant after `nowMs` at which a row falls due; infinite where there is none. */
  nextDueMs(db: Database, nowMs: number): number;
}

interface Waiter<Request, Result> {
  readonly request: Request;
  /** `undefined` where no row can match; the waiter only waits then. */
  readonly group: string | undefined;
  /** The group and, in it, the owner. */
  readonly key: string;
  readonly parkedAtMs: number;
  readonly resolve: (result: Result | undefined) => void;
  readonly reject: (error: ProviderError) => void;
  cancelDeadline?: CancelTimer;
}

export class ParkedFetches<Request extends FetchRequest, Result> {
  readonly #source: FetchSource<Request, Result>;
  readonly #clock: Clock;
  readonly #wake: () => void;
  readonly #waiters = new Set<Waiter<Request, Result>>();
  readonly #groups = new Map<string, Set<Waiter<Request, Result>>>();
  /** Parked since the last flush: not looked after yet, and without a timer for the end of their time. */
  #fresh = new Set<Waiter<Request, Result>>();
  readonly #vain = new VainLooks();
  readonly #aborts = new AbortListeners<Waiter<Request, Result>>((waiter) => this.#abort(waiter));
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
    return this.#vain.nextDueMs;
  }

  fetch(request: Request): Promise<Result | undefined> {
    if (request.signal?.aborted) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const group = this.#source.groupOf(request);
      // The length tells where the group ends, whatever the two are made of.
      const key = group === undefined ? "" : `${group.length} ${group}${this.#source.ownerOf(request)}`;
      this.#park({ request, group, key, parkedAtMs: this.#clock.now(), resolve, reject });
      this.#wake();
    });
  }

  /** Something may have become eligible that this process did not write. */
  lookAgain(): void {
    this.#vain.forget();
  }

  /** Looks without a lock; false where a transaction would find nothing for anybody. */
  peek(db: Database, nowMs: number): boolean {
    this.#vain.passTime(nowMs);
    let foundAny = false;
    for (const [group, members] of this.#groups) {
      const waiters = this.#lookersOf(group, members);
      if (waiters.length === 0) continue;
      const look = this.#source.peek(
        db,
        nowMs,
        waiters.map(({ request }) => request),
      );
      if (look.found.includes(true)) foundAny = true;
      this.#remember(group, waiters, look, db, nowMs);
    }
    return foundAny;
  }

  /**
   * Serves waiters inside a transaction, as often as it is asked. They learn of it by `committed`, or before
   * that by `handOverEarly`, and stay parked otherwise.
   */
  serve(tx: Transaction): void {
    this.#vain.passTime(tx.nowMs);
    this.#noteDue(tx.effects);
    for (const [group, members] of this.#groups) {
      const waiters = this.#lookersOf(group, members);
      if (waiters.length === 0) continue;
      const look = this.#source.take(
        tx,
        waiters.map(({ request }) => request),
      );
      for (const [index, waiter] of waiters.entries()) {
        const served = look.found[index];
        if (served !== undefined) this.#served.set(waiter, served);
      }
      this.#remember(group, waiters, look, tx.db, tx.nowMs);
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

  /** The transaction that served them is undone and will be tried again; nobody was given anything. */
  rolledBack(): void {
    for (const waiter of this.#served.keys()) if (this.#waiters.has(waiter)) this.#fresh.add(waiter);
    this.#served.clear();
    this.lookAgain();
  }

  /** It is undone and will not be tried again: whoever it might have served learns why, the others wait on. */
  failed(cause: unknown): void {
    const affected = new Set(this.#served.keys());
    for (const waiter of this.#waiters) if (this.#mayFind(waiter)) affected.add(waiter);
    const error = toProviderError(this.#source.operation, cause);
    for (const waiter of affected) this.#settle(waiter, error);
    this.rolledBack();
  }

  /** Nothing will be found any more. */
  refuse(cause: unknown): void {
    const error = toProviderError(this.#source.operation, cause);
    for (const waiter of this.#waiters) this.#settle(waiter, error);
    this.rolledBack();
  }

  /**
   * After a flush: whoever looked and found nothing goes, or waits for the rest of its time. Everybody looks at
   * least once, however little time it has, so those who came too late for this flush wait for the next one.
   * Where the database was `busy`, long polls end in time all the same.
   */
  expire(nowMs: number, busy: boolean): void {
    const undecided = new Set<Waiter<Request, Result>>();
    for (const waiter of this.#fresh) {
      const { pollTimeoutMs } = waiter.request;
      const remainingMs = waiter.parkedAtMs + pollTimeoutMs - nowMs;
      if (this.#mayFind(waiter) && !(busy && pollTimeoutMs > 0)) undecided.add(waiter);
      else if (remainingMs <= 0) this.#settle(waiter, undefined);
      else waiter.cancelDeadline ??= this.#clock.schedule(remainingMs, () => this.#timeOut(waiter));
    }
    this.#fresh = undecided;
  }

  /** Fails those whose time is over and who could not even look, because the database stayed busy. */
  giveUp(sinceMs: number, errorFor: (operation: string) => ProviderError): void {
    for (const waiter of this.#fresh) {
      if (waiter.parkedAtMs <= sinceMs) this.#settle(waiter, errorFor(this.#source.operation));
    }
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
    if (signal !== undefined) this.#aborts.add(signal, waiter);
  }

  #abort(waiter: Waiter<Request, Result>): void {
    this.#settle(waiter, undefined);
    // The next flush puts away the timers that were for nobody else.
    if (this.#waiters.size === 0) this.#wake();
  }

  /** Whoever has been given something by the open transaction gets it, though his time is over. */
  #timeOut(waiter: Waiter<Request, Result>): void {
    if (!this.#served.has(waiter)) this.#settle(waiter, undefined);
  }

  #settle(waiter: Waiter<Request, Result>, outcome: Result | ProviderError | undefined): void {
    const { group } = waiter;
    this.#waiters.delete(waiter);
    this.#fresh.delete(waiter);
    const members = group === undefined ? undefined : this.#groups.get(group);
    members?.delete(waiter);
    if (group !== undefined && members?.size === 0) this.#groups.delete(group);
    waiter.cancelDeadline?.();
    if (waiter.request.signal !== undefined) this.#aborts.remove(waiter.request.signal, waiter);
    if (ProviderError.is(outcome)) waiter.reject(outcome);
    else waiter.resolve(outcome);
  }

  #takeServed(which: (served: Served<Result>) => boolean): [Waiter<Request, Result>, Served<Result>][] {
    const taken = [...this.#served].filter(([, served]) => which(served));
    for (const [waiter] of taken) this.#served.delete(waiter);
    return taken;
  }

  /** Who of a group has not looked in vain yet. */
  #lookersOf(group: string, members: ReadonlySet<Waiter<Request, Result>>): Waiter<Request, Result>[] {
    if (this.#vain.has(group)) return [];
    // Several hundred wait, and most looks are the first of their generation.
    if (!this.#vain.hasAny && this.#served.size === 0) return [...members];
    return [...members].filter((waiter) => !this.#vain.has(waiter.key) && !this.#served.has(waiter));
  }

  #mayFind({ group, key }: Waiter<Request, Result>): boolean {
    return group !== undefined && !this.#vain.has(group) && !this.#vain.has(key);
  }

  #remember(
    group: string,
    waiters: readonly Waiter<Request, Result>[],
    { found, nothingLeft }: Look<unknown>,
    db: Database,
    nowMs: number,
  ): void {
    const nextDueMs = (): number => this.#source.nextDueMs(db, nowMs);
    if (nothingLeft) this.#vain.add(group, nextDueMs);
    for (const [index, { key }] of nothingLeft ? [] : waiters.entries()) {
      if (found[index] === undefined) this.#vain.add(key, nextDueMs);
    }
  }

  /** Each is taken note of once, however often a transaction is looked at. */
  #noteDue(effects: Effects): void {
    const due = this.#source.dueTimes(effects);
    this.#vain.note(due.now, due.nextMs);
    due.now = false;
  }
}
