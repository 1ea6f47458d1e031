/**
 * The long polls of one queue. A fetch is parked, looks for rows in the next flush of the writer, and waits until a row
 * is locked for it, its time is over or its signal aborts. The seam: WakeUps says when to look, the FetchSource how.
 *
 * Waiters that accept the same rows form a group, and one query serves a whole group. Where rows may be reserved for
 * one of several owners (sessions), a group has owners, and the search of each may come to nothing by itself.
 *
 * P1  A waiter is in #waiters, in the set of its group if it has one, and registered with its signal, or in none of them. #park and
 *     #settle alone change that, and #settle answers it. So no waiter is answered twice, and none is forgotten.
 * P2  #fresh has the waiters for which no search has ended since they were parked, or since their transaction was
 *     undone. A waiter leaves it after a search that found nothing (expire), so a fetch without a poll timeout searches
 *     exactly once. Every other waiter without a row has a timer for the end of its time.
 * P3  #served has what the open transaction locked. A waiter in it neither searches nor times out, because its row is
 *     locked already. It is answered after the commit, or before it where the row says `early`.
 * P4  A search that found nothing is not repeated before something may have changed (exhausted-groups.ts), and holds for
 *     waiters with the same key only, which have the same rows to choose from. What a transaction wrote is such a change: it is taken from the DueTimes before each search of the transaction and again
 *     after its commit, each event once. A transaction that is undone makes all that is known void.
 */
import { type CancelTimer, type Clock, ProviderError } from "@duroxide-ts/core";
import type { Effects } from "../commit/effects.ts";
import type { Transaction } from "../commit/transaction.ts";
import type { Database } from "../connection/database.ts";
import { toProviderError } from "../connection/sqlite-error.ts";
import { AbortListeners } from "./abort-listeners.ts";
import { ExhaustedGroups } from "./exhausted-groups.ts";
import type { FetchRequest, FetchSource, Look, Served } from "./fetch-source.ts";

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
  /** P2 */
  #fresh = new Set<Waiter<Request, Result>>();
  readonly #exhausted = new ExhaustedGroups();
  readonly #aborts = new AbortListeners<Waiter<Request, Result>>((waiter) => this.#abort(waiter));
  /** P3 */
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
    return this.#exhausted.nextDueMs;
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

  /** Another process may have made rows eligible. */
  lookAgain(): void {
    this.#exhausted.forget();
  }

  /** Searches without a lock; false where a transaction would find no row for any waiter. */
  peek(db: Database, nowMs: number): boolean {
    this.#exhausted.passTime(nowMs);
    let foundAny = false;
    for (const [group, members] of this.#groups) {
      const waiters = this.#searchersOf(group, members);
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

  /** Locks rows for waiters inside a transaction, any number of times in each. They are answered later (P3). */
  serve(tx: Transaction): void {
    this.#exhausted.passTime(tx.nowMs);
    this.#noteDue(tx.effects);
    for (const [group, members] of this.#groups) {
      const waiters = this.#searchersOf(group, members);
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

  /** Answers the waiters whose rows may be used before the commit; true where there were any. */
  handOverEarly(): boolean {
    const early = this.#takeServed((served) => served.early);
    for (const [waiter, { result }] of early) this.#settle(waiter, result);
    return early.length > 0;
  }

  /** The transaction is undone and will be tried again; no waiter was answered. */
  rolledBack(): void {
    for (const waiter of this.#served.keys()) if (this.#waiters.has(waiter)) this.#fresh.add(waiter);
    this.#served.clear();
    this.lookAgain();
  }

  /** It is undone and will not be tried again. Waiters that it might have served get the error, others wait on. */
  failed(cause: unknown): void {
    const affected = new Set(this.#served.keys());
    for (const waiter of this.#waiters) if (this.#mayFind(waiter)) affected.add(waiter);
    const error = toProviderError(this.#source.operation, cause);
    for (const waiter of affected) this.#settle(waiter, error);
    this.rolledBack();
  }

  /** The store is gone: every waiter gets the error. */
  refuse(cause: unknown): void {
    const error = toProviderError(this.#source.operation, cause);
    for (const waiter of this.#waiters) this.#settle(waiter, error);
    this.rolledBack();
  }

  /**
   * After a flush: a fresh waiter whose search found nothing is answered, or waits for the rest of its time. One that
   * was parked too late for this flush stays fresh, whatever time it has left (P2). Where the database was `busy`,
   * long polls end in time all the same.
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

  /** Fails the waiters that were parked before this instant and could not search, because the database stayed busy. */
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
    // The next flush cancels the timers, which no waiter needs any more.
    if (this.#waiters.size === 0) this.#wake();
  }

  /** P3: a waiter that has a row is answered with it, although its time is over. */
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

  /** The waiters of a group for which a search may find a row. */
  #searchersOf(group: string, members: ReadonlySet<Waiter<Request, Result>>): Waiter<Request, Result>[] {
    if (this.#exhausted.has(group)) return [];
    // Several hundred wait, and most searches are the first of their generation.
    if (!this.#exhausted.hasAny && this.#served.size === 0) return [...members];
    return [...members].filter((waiter) => !this.#exhausted.has(waiter.key) && !this.#served.has(waiter));
  }

  #mayFind({ group, key }: Waiter<Request, Result>): boolean {
    return group !== undefined && !this.#exhausted.has(group) && !this.#exhausted.has(key);
  }

  #remember(
    group: string,
    waiters: readonly Waiter<Request, Result>[],
    { found, nothingLeft }: Look<unknown>,
    db: Database,
    nowMs: number,
  ): void {
    const nextDueMs = (): number => this.#source.nextDueMs(db, nowMs);
    if (nothingLeft) this.#exhausted.add(group, nextDueMs);
    for (const [index, { key }] of nothingLeft ? [] : waiters.entries()) {
      if (found[index] === undefined) this.#exhausted.add(key, nextDueMs);
    }
  }

  /** P4 */
  #noteDue(effects: Effects): void {
    const due = this.#source.dueTimes(effects);
    this.#exhausted.note(due.takeDueNow(), due.nextMs);
  }
}
