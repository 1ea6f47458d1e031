/**
 * The long polls of one queue. WakeUps decides when to search, the FetchSource how.
 *
 * - parked-fetches.P1: A fetch is parked, searches for rows at least once, in the next flush of the writer, however
 *   little time it has, and then stays until it is served, its time is over or its signal aborts. It is settled once.
 *   #fresh has those that have not searched, or whose transaction was undone; every other waiter has a timer for the
 *   end of its time.
 * - parked-fetches.P2: Waiters that accept the same rows form a group, and one query serves a whole group. Where rows
 *   may be reserved for one of several owners (sessions), a group has owners, and the search of each owner may find
 *   nothing.
 * - parked-fetches.P3: The waiter that was parked first is served first.
 * - parked-fetches.P4: A waiter that the open transaction has served is settled after the commit, or before it where
 *   the source says so. It stays parked until then, also beyond its time and if its signal aborts, because its row is
 *   locked. Where the transaction is undone, it searches again.
 * - parked-fetches.P5: A waiter is a member of its group (#unmatchable where no row can match), counted in #size and
 *   registered with its signal, or it has left all three. #park and #settle alone change that. A group with members is
 *   in #groups, so that a later fetch of its name joins it.
 * - parked-fetches.P6: A search that found nothing is not repeated before something may have changed (searches.ts).
 *   What a transaction wrote is such a change: it is taken from the DueTimes before each search of the transaction and
 *   after its commit, each event once. A rollback makes all that is known void.
 */
import type { CancelTimer, Clock } from "@duroxide-ts/core";
import { invariant, type Member, Members, onAbort, ProviderError } from "@duroxide-ts/core/stores";
import type { Effects } from "../commit/effects.ts";
import type { Transaction } from "../commit/transaction.ts";
import type { Database } from "../connection/database.ts";
import { toProviderError } from "../connection/sqlite-error.ts";
import type { FetchRequest, FetchSource, Look, Served } from "./fetch-source.ts";
import { Exhaustion, Searches } from "./searches.ts";

interface Waiter<Request, Result> extends Member {
  readonly request: Request;
  readonly group: Group<Request, Result>;
  /** Owner in the group. */
  readonly owner: string;
  readonly parkedAtMs: number;
  readonly resolve: (result: Result | undefined) => void;
  readonly reject: (error: ProviderError) => void;
  cancelDeadline?: CancelTimer;
  forgetSignal?: () => void;
  /** The row that the open transaction has locked for it. */
  served?: Served<Result> | undefined;
}

interface Group<Request, Result> {
  /** `undefined` if no row can match; its waiters then only wait. */
  readonly name: string | undefined;
  readonly members: Members<Waiter<Request, Result>>;
  readonly exhaustion: Exhaustion;
}

/** The number of waiters of a group in the first query. */
const FIRST_SEARCHERS = 4;

const MOST_EMPTY_GROUPS = 100;

export class ParkedFetches<Request extends FetchRequest, Result> {
  readonly #source: FetchSource<Request, Result>;
  readonly #clock: Clock;
  readonly #wake: () => void;
  /** Groups are few: one for each used filter of tags or versions. Empty groups are kept, up to a limit. */
  readonly #groups = new Map<string, Group<Request, Result>>();
  /** Waiters for which no row can match. */
  readonly #unmatchable: Group<Request, Result> = newGroup(undefined);
  #size = 0;
  /** parked-fetches.P1 */
  #fresh: Waiter<Request, Result>[] = [];
  /** Waiters that the open transaction has served (parked-fetches.P4). */
  #served: Waiter<Request, Result>[] = [];
  readonly #searches = new Searches();

  constructor(source: FetchSource<Request, Result>, clock: Clock, wake: () => void) {
    this.#source = source;
    this.#clock = clock;
    this.#wake = wake;
  }

  /** The number of waiters. */
  get size(): number {
    return this.#size;
  }

  /** Time of the next search without a write, ms; infinite if no row will fall due. */
  get nextDueMs(): number {
    return this.#searches.nextDueMs;
  }

  fetch(request: Request): Promise<Result | undefined> {
    if (request.signal?.aborted) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#park({
        request,
        group: this.#group(this.#source.groupOf(request)),
        owner: this.#source.ownerOf(request),
        parkedAtMs: this.#clock.now(),
        resolve,
        reject,
        left: false,
        place: 0,
      });
      this.#wake();
    });
  }

  /** Called when another process may have made rows eligible. */
  lookAgain(): void {
    this.#searches.forget();
  }

  /** Searches without a lock; false if a transaction would find no row for any waiter. */
  peek(db: Database, nowMs: number): boolean {
    this.#searches.passTime(nowMs);
    let foundAny = false;
    for (const group of this.#groups.values()) {
      this.#forSearchers(group, (waiters) => {
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

  prepare(tx: Transaction): void {
    this.#source.prepare?.(tx);
  }

  /**
   * Locks rows for waiters inside a transaction, any number of times in each (parked-fetches.P4). A search may leave
   * rows to groups that have searched before it, so all search again then; a row is left once.
   */
  serve(tx: Transaction): void {
    this.#searches.passTime(tx.nowMs);
    this.#noteDue(tx.effects);
    do {
      for (const group of this.#groups.values()) {
        this.#forSearchers(group, (waiters) => this.#take(tx, group, waiters));
      }
    } while (this.#noteDue(tx.effects));
  }

  /** Locks rows for waiters of a group; false if none is left. */
  #take(
    tx: Transaction,
    group: Group<Request, Result>,
    waiters: readonly Waiter<Request, Result>[],
  ): boolean {
    const requests = waiters.map(({ request }) => request);
    const look = this.#source.take(tx, requests);
    for (const [index, waiter] of waiters.entries()) {
      const served = look.found[index];
      if (served === undefined) continue;
      invariant(waiter.served === undefined && !waiter.left, "parked-fetches.P4");
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

  /** Settles the waiters that may begin before the commit; true if there were any. */
  handOverEarly(): boolean {
    const served = this.#served;
    if (!served.some((waiter) => waiter.served?.early)) return false;
    this.#served = served.filter((waiter) => !waiter.served?.early);
    for (const waiter of served) if (waiter.served?.early) this.#settle(waiter, waiter.served.result);
    return true;
  }

  /** Called when the transaction that served them was rolled back and will be retried (parked-fetches.P4). */
  rolledBack(): void {
    for (const waiter of this.#served) {
      waiter.served = undefined;
      if (waiter.request.signal?.aborted) this.#settle(waiter, undefined);
      else if (!waiter.left) this.#fresh.push(waiter);
    }
    this.#served = [];
    this.lookAgain();
  }

  /** Called when it will not be retried: rejects the waiters that it might have served; the others keep waiting. */
  failed(cause: unknown): void {
    const error = toProviderError(this.#source.operation, cause);
    for (const waiter of this.#all()) {
      if (waiter.served !== undefined || this.#mayFind(waiter)) this.#settle(waiter, error);
    }
    this.rolledBack();
  }

  /** Rejects all fetches, now and later. */
  refuse(cause: unknown): void {
    const error = toProviderError(this.#source.operation, cause);
    for (const waiter of this.#all()) this.#settle(waiter, error);
    this.rolledBack();
  }

  /**
   * Called after a flush: settles a waiter that has searched and found nothing if its time is over; else it keeps
   * waiting. A waiter that was parked too late for this flush searches in the next one (parked-fetches.P1). If the
   * database was `busy`, long polls still end in time.
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

  /** Rejects waiters that were parked before this time and could not search, because the database stayed busy. */
  giveUp(sinceMs: number, errorFor: (operation: string) => ProviderError): void {
    for (const waiter of this.#fresh) {
      if (waiter.parkedAtMs <= sinceMs) this.#settle(waiter, errorFor(this.#source.operation));
    }
  }

  close(): void {
    for (const waiter of this.#all()) this.#settle(waiter, undefined);
  }

  #park(waiter: Waiter<Request, Result>): void {
    this.#size++;
    this.#fresh.push(waiter);
    waiter.group.members.add(waiter);
    waiter.forgetSignal = onAbort(waiter.request.signal, () => this.#abort(waiter));
  }

  #group(name: string | undefined): Group<Request, Result> {
    if (name === undefined) return this.#unmatchable;
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const group = newGroup<Request, Result>(name);
    this.#groups.set(name, group);
    return group;
  }

  #all(): readonly Waiter<Request, Result>[] {
    return [this.#unmatchable, ...this.#groups.values()].flatMap(({ members }) => members.all());
  }

  #abort(waiter: Waiter<Request, Result>): void {
    if (waiter.served === undefined) this.#settle(waiter, undefined);
    // The next flush cancels the timers that no waiter needs.
    if (this.#size === 0) this.#wake();
  }

  #timeOut(waiter: Waiter<Request, Result>): void {
    if (waiter.served === undefined) this.#settle(waiter, undefined);
  }

  #settle(waiter: Waiter<Request, Result>, outcome: Result | ProviderError | undefined): void {
    if (waiter.left) return;
    this.#size--;
    const { name, members } = waiter.group;
    members.delete(waiter);
    if (members.size === 0 && name !== undefined && this.#groups.size > MOST_EMPTY_GROUPS) {
      this.#groups.delete(name);
    }
    waiter.cancelDeadline?.();
    waiter.forgetSignal?.();
    if (ProviderError.is(outcome)) waiter.reject(outcome);
    else waiter.resolve(outcome);
  }

  /**
   * Calls `look` for the waiters of a group that are not exhausted, each once, the first parked first
   * (parked-fetches.P3). Passes a few waiters, then twice as many each time, until `look` returns false, because
   * hundreds may wait while there are mostly rows for one or two.
   */
  #forSearchers(
    { members, exhaustion }: Group<Request, Result>,
    look: (waiters: readonly Waiter<Request, Result>[]) => boolean,
  ): void {
    if (this.#searches.foundNothing(exhaustion)) return;
    let some: Waiter<Request, Result>[] = [];
    let most = FIRST_SEARCHERS;
    members.visit((waiter) => {
      const isSearcher =
        waiter.served === undefined && !this.#searches.foundNothing(exhaustion, waiter.owner);
      if (!isSearcher || some.push(waiter) < most) return true;
      const asked = some;
      some = [];
      most *= 2;
      return look(asked);
    });
    if (some.length > 0) look(some);
  }

  #mayFind({ group: { name, exhaustion }, owner }: Waiter<Request, Result>): boolean {
    if (name === undefined || this.#searches.foundNothing(exhaustion)) return false;
    return !this.#searches.foundNothing(exhaustion, owner);
  }

  #remember(
    { exhaustion }: Group<Request, Result>,
    waiters: readonly Waiter<Request, Result>[],
    { found, nothingLeft }: Look<unknown>,
    db: Database,
    nowMs: number,
  ): void {
    const nextDueMs = (): number => this.#source.nextDueMs(db, nowMs);
    if (nothingLeft) this.#searches.exhaust(exhaustion, nextDueMs);
    for (const [index, { owner }] of nothingLeft ? [] : waiters.entries()) {
      if (found[index] === undefined) this.#searches.exhaust(exhaustion, nextDueMs, owner);
    }
  }

  /** parked-fetches.P6. Whether rows have become eligible at once. */
  #noteDue(effects: Effects): boolean {
    const due = this.#source.dueTimes(effects);
    const dueNow = due.takeDueNow();
    this.#searches.note(dueNow, due.nextMs);
    return dueNow;
  }
}

function newGroup<Request, Result>(name: string | undefined): Group<Request, Result> {
  return { name, members: new Members(), exhaustion: new Exhaustion() };
}
