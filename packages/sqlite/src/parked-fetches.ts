/**
 * The long polls of one queue.
 *
 *   P1  A fetch is parked, looks for rows at least once, in the next flush of the writer, however little time it has,
 *       and then stays until it is served, its time is over or its signal aborts. It is settled once.
 *   P2  Waiters that accept the same rows form a group, and one query serves a whole group. Where rows may be reserved
 *       for one of several owners (sessions), a group is made of owners, and each may look in vain by itself.
 *   P3  The waiter that was parked first is served first.
 *   P4  A waiter that the open transaction has served learns of it after the commit, or before it where the source says
 *       so. It stays parked until then, also beyond its time, and looks again where the transaction is undone.
 */
import { type CancelTimer, type Clock, ProviderError } from "@duroxide-ts/core";
import { type Member, Members } from "@duroxide-ts/core/stores";
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

interface Waiter<Request, Result> extends Member {
  readonly request: Request;
  /** `undefined` where no row can match; the waiter only waits then. */
  readonly group: string | undefined;
  /** The group and, in it, the owner. */
  readonly key: string;
  readonly parkedAtMs: number;
  readonly resolve: (result: Result | undefined) => void;
  readonly reject: (error: ProviderError) => void;
  cancelDeadline?: CancelTimer;
  /** What the open transaction has found for it. */
  served?: Served<Result> | undefined;
}

/** How many waiters of a group one query is for at first. */
const FIRST_LOOKERS = 4;

const MOST_EMPTY_GROUPS = 100;

export class ParkedFetches<Request extends FetchRequest, Result> {
  readonly #source: FetchSource<Request, Result>;
  readonly #clock: Clock;
  readonly #wake: () => void;
  /** Few: those of the tags and version ranges in use. Empty groups stay, up to a limit. */
  readonly #groups = new Map<string, Members<Waiter<Request, Result>>>();
  /** Those for which no row can match. */
  readonly #hopeless = new Members<Waiter<Request, Result>>();
  #size = 0;
  /** Parked since the last flush: they have not looked yet (P1), and have no timer for the end of their time. */
  #fresh: Waiter<Request, Result>[] = [];
  /** Those that the open transaction has served (P4). */
  #served: Waiter<Request, Result>[] = [];
  readonly #vain = new VainLooks();
  readonly #aborts = new AbortListeners((signal) => this.#abort(signal));

  constructor(source: FetchSource<Request, Result>, clock: Clock, wake: () => void) {
    this.#source = source;
    this.#clock = clock;
    this.#wake = wake;
  }

  /** How many wait. */
  get size(): number {
    return this.#size;
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
      this.#park({
        request,
        group,
        key,
        parkedAtMs: this.#clock.now(),
        resolve,
        reject,
        left: false,
      });
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
      this.#forLookers(group, members, (waiters) => {
        const requests = waiters.map(({ request }) => request);
        const look = this.#source.peek(db, nowMs, requests);
        this.#remember(group, waiters, look, db, nowMs);
        const foundSome = look.found.includes(true);
        if (foundSome) foundAny = true;
        return !foundSome && !look.nothingLeft;
      });
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
      this.#forLookers(group, members, (waiters) => this.#take(tx, group, waiters));
    }
    this.#noteDue(tx.effects);
  }

  /** Locks rows for waiters of a group; false where none is left. */
  #take(tx: Transaction, group: string, waiters: readonly Waiter<Request, Result>[]): boolean {
    const requests = waiters.map(({ request }) => request);
    const look = this.#source.take(tx, requests);
    for (const [index, waiter] of waiters.entries()) {
      const served = look.found[index];
      if (served === undefined) continue;
      waiter.served = served;
      this.#served.push(waiter);
    }
    this.#remember(group, waiters, look, tx.db, tx.nowMs);
    return !look.nothingLeft;
  }

  committed(effects: Effects): void {
    this.#noteDue(effects);
    const served = this.#served;
    this.#served = [];
    for (const waiter of served) this.#settle(waiter, waiter.served?.result);
  }

  /** Settles the waiters that may begin before the commit; true where there were any. */
  handOverEarly(): boolean {
    const served = this.#served;
    if (!served.some((waiter) => waiter.served?.early)) return false;
    this.#served = served.filter((waiter) => !waiter.served?.early);
    for (const waiter of served) if (waiter.served?.early) this.#settle(waiter, waiter.served.result);
    return true;
  }

  /** The transaction that served them is undone and will be tried again (P4). */
  rolledBack(): void {
    for (const waiter of this.#served) {
      waiter.served = undefined;
      if (!waiter.left) this.#fresh.push(waiter);
    }
    this.#served = [];
    this.lookAgain();
  }

  /** It is undone and will not be tried again: the waiters that it might have served fail, the others wait on. */
  failed(cause: unknown): void {
    const error = toProviderError(this.#source.operation, cause);
    for (const waiter of this.#all()) {
      if (waiter.served !== undefined || this.#mayFind(waiter)) this.#settle(waiter, error);
    }
    this.rolledBack();
  }

  /** No fetch will find anything any more. */
  refuse(cause: unknown): void {
    const error = toProviderError(this.#source.operation, cause);
    for (const waiter of this.#all()) this.#settle(waiter, error);
    this.rolledBack();
  }

  /**
   * After a flush: a waiter that has looked and found nothing is settled, or waits for the rest of its time. One that
   * was parked too late for this flush looks in the next one (P1). Where the database was `busy`, long polls end in
   * time all the same.
   */
  expire(nowMs: number, busy: boolean): void {
    const fresh = this.#fresh;
    this.#fresh = [];
    for (const waiter of fresh) {
      if (waiter.left) continue;
      const { pollTimeoutMs } = waiter.request;
      const remainingMs = waiter.parkedAtMs + pollTimeoutMs - nowMs;
      if (this.#mayFind(waiter) && !(busy && pollTimeoutMs > 0)) this.#fresh.push(waiter);
      else if (remainingMs <= 0) this.#settle(waiter, undefined);
      else waiter.cancelDeadline ??= this.#clock.schedule(remainingMs, () => this.#timeOut(waiter));
    }
  }

  /** Fails those whose time is over and that could not even look, because the database stayed busy. */
  giveUp(sinceMs: number, errorFor: (operation: string) => ProviderError): void {
    for (const waiter of this.#fresh) {
      if (waiter.parkedAtMs <= sinceMs) this.#settle(waiter, errorFor(this.#source.operation));
    }
  }

  close(): void {
    for (const waiter of this.#all()) this.#settle(waiter, undefined);
  }

  #park(waiter: Waiter<Request, Result>): void {
    const { signal } = waiter.request;
    this.#size++;
    this.#fresh.push(waiter);
    this.#groupOf(waiter).add(waiter);
    if (signal !== undefined) this.#aborts.add(signal);
  }

  #groupOf({ group }: Waiter<Request, Result>): Members<Waiter<Request, Result>> {
    if (group === undefined) return this.#hopeless;
    const known = this.#groups.get(group);
    if (known !== undefined) return known;
    const members = new Members<Waiter<Request, Result>>();
    this.#groups.set(group, members);
    return members;
  }

  #all(): readonly Waiter<Request, Result>[] {
    return [this.#hopeless, ...this.#groups.values()].flatMap((members) => members.all());
  }

  #abort(signal: AbortSignal): void {
    for (const waiter of this.#all()) {
      if (waiter.request.signal === signal) this.#settle(waiter, undefined);
    }
    // The next flush cancels the timers that no waiter needs.
    if (this.#size === 0) this.#wake();
  }

  #timeOut(waiter: Waiter<Request, Result>): void {
    if (waiter.served === undefined) this.#settle(waiter, undefined);
  }

  #settle(waiter: Waiter<Request, Result>, outcome: Result | ProviderError | undefined): void {
    if (waiter.left) return;
    this.#size--;
    const members = this.#groupOf(waiter);
    members.delete(waiter);
    if (members.size === 0 && waiter.group !== undefined && this.#groups.size > MOST_EMPTY_GROUPS) {
      this.#groups.delete(waiter.group);
    }
    waiter.cancelDeadline?.();
    if (waiter.request.signal !== undefined) this.#aborts.remove(waiter.request.signal);
    if (ProviderError.is(outcome)) waiter.reject(outcome);
    else waiter.resolve(outcome);
  }

  /**
   * Asks for the waiters of a group that have not looked in vain yet, each once, the first parked first (P3). `look`
   * gets a few, and then twice as many each time, until it returns false: hundreds wait, and mostly there are rows for
   * one or two.
   */
  #forLookers(
    group: string,
    members: Members<Waiter<Request, Result>>,
    look: (waiters: readonly Waiter<Request, Result>[]) => boolean,
  ): void {
    if (this.#vain.has(group)) return;
    let some: Waiter<Request, Result>[] = [];
    let most = FIRST_LOOKERS;
    members.visit((waiter) => {
      if (waiter.served !== undefined || this.#vain.has(waiter.key) || some.push(waiter) < most) return true;
      const asked = some;
      some = [];
      most *= 2;
      return look(asked);
    });
    if (some.length > 0) look(some);
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
