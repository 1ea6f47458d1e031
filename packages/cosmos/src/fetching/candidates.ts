/**
 * The work that one bounded query over the container found, shared by all fetches of the process. The query is repeated
 * when its interval is over, or when a fetch has tried all candidates.
 *
 * - candidates.CA1: If no candidate of a page could be locked, the next page is read, so that no work hides work behind
 *   it (hazards W16, W30).
 * - candidates.CA2: After a candidate was locked, the next query begins at the front, so that the oldest work is tried
 *   first.
 * - candidates.CA3: A row that is left to other processes is no news. Otherwise each query would find it and keep the
 *   interval short.
 * - candidates.CA4: The answer of a partition that comes after its query was over is used. Unknown work in it wakes the
 *   fetches, because they wait for the next query by then.
 * - candidates.CA5: While other processes are first at rows that this one tries, each process tries the rows in an
 *   order of its own. The oldest rows are first once they are older than the longest interval.
 */
import type { SqlQuerySpec } from "@azure/cosmos";
import type { ProviderError } from "@duroxide-ts/core";
import type { Parts, Work } from "../memory/parts.ts";
import { AskedPartitions } from "./membership/asked-partitions.ts";
import { hashOf, mix } from "./membership/hash.ts";
import type { Group, Members } from "./membership/members.ts";
import { isShared } from "./membership/peer-group.ts";
import { takesTurns } from "./membership/turns.ts";
import { PollInterval, type PollLimits } from "./poll-interval.ts";
import { RangeCursors, type RangePage } from "./range-cursors.ts";

/** Rows of one answer from each physical partition. */
const PAGE = 100;

/** The most rows of other processes that are remembered. */
const MOST_PASSED = 10_000;

/** How long rows are tried in an order of this process after another process was first, ms. */
const CONTENDED_MS = 10_000;

export interface CandidateRow {
  readonly id: string;
}

export interface FoundRow {
  readonly instanceId: string;
  readonly visibleAtMs: number;
  /** Only this process may lock it: it is of a session that this process owns. */
  readonly isBound?: boolean;
}

export interface CandidatesOptions<Found, T extends CandidateRow> {
  readonly parts: Pick<Parts, "clock" | "service">;
  readonly limits: PollLimits;
  readonly members: Members;
  readonly group: Group;
  readonly stop: AbortSignal;
  readonly spec: () => SqlQuerySpec;
  readonly rowOf: (candidate: T) => FoundRow;
  /** Whether it was unknown to this process. */
  readonly isNews: (candidate: T) => boolean;
  /** Turns the answer of a physical partition into candidates. */
  readonly toCandidates: (found: readonly Found[]) => Promise<readonly T[]>;
  /** Returns the candidates in the order in which they are tried. */
  readonly sort: (candidates: readonly T[]) => readonly T[];
  /** An answer has come after its query was over. */
  readonly onLate: () => void;
  /** Whether there may be rows that only this process may lock (membership/asked-partitions.ts). */
  readonly asksAll?: () => boolean;
}

/** A candidate, and the physical partition that answered it. */
interface Listed<T> {
  readonly range: string;
  readonly candidate: T;
}

export class Candidates<Found, T extends CandidateRow> {
  readonly #options: CandidatesOptions<Found, T>;
  readonly #interval: PollInterval;
  readonly #cursors: RangeCursors<Found>;
  #list: T[] = [];
  /** The last answers of all physical partitions; `#list` has the candidates that were not tried. */
  #answer: readonly Listed<T>[] = [];
  /** Rows for other processes, and when to try them (candidates.CA3). */
  readonly #passed = new Map<string, number>();
  /** A candidate of the last answer was locked (candidates.CA2). */
  #served = false;
  readonly #partitions: AskedPartitions;
  /** Order in which this process tries rows (candidates.CA5). */
  readonly #ownKey: number;
  #contendedUntilMs = 0;
  /** The query under way has returned unknown work. */
  #news = false;
  #asking: Promise<void> | undefined;
  #asked = 0;

  constructor(options: CandidatesOptions<Found, T>) {
    this.#options = options;
    const { parts, stop, limits, members, asksAll = () => false } = options;
    this.#interval = new PollInterval(limits, parts.service.random);
    this.#partitions = new AskedPartitions({ members, intervalMs: limits.max, asksAll });
    this.#ownKey = mix(Math.floor(parts.service.random.next() * 2 ** 32));
    this.#cursors = new RangeCursors<Found>({
      stop,
      limit: PAGE,
      onPage: (page, isLate) => this.#take(page, isLate),
    });
  }

  /** The number of answered queries. */
  get asked(): number {
    return this.#asked;
  }

  /** Time to query again although no candidate is left, ms since the epoch. */
  get nextMs(): number {
    return Math.min(this.#interval.nextMs, this.#cursors.retryMs);
  }

  /** The interval has reached its maximum, because no work came for long. */
  get isIdle(): boolean {
    return this.#interval.isLongest;
  }

  /** There is no work: the next query is at that time, or after the interval. */
  postpone(untilMs?: number): void {
    this.#interval.postpone(this.#options.parts.clock.now(), untilMs);
  }

  /** There is work: the next query is due. */
  resumePolling(): void {
    this.#interval.resumePolling(this.#options.parts.clock.now());
  }

  /** The last answer was not complete. */
  get hasMore(): boolean {
    return this.#cursors.hasMore && !this.#served;
  }

  /** Other processes query the same work. */
  get isShared(): boolean {
    return isShared(this.#options.members.peerGroup());
  }

  /** Takes the first one off the list. */
  take(): T | undefined {
    return this.#list.shift();
  }

  /** Leaves it where it is. */
  first(): T | undefined {
    return this.#list[0];
  }

  /** Removes candidates that are no longer valid. */
  drop(isUseless: (candidate: T) => boolean): void {
    this.#served = true;
    for (const { candidate } of this.#answer) if (isUseless(candidate)) this.#passed.delete(candidate.id);
    if (this.#list.some(isUseless)) this.#list = this.#list.filter((each) => !isUseless(each));
  }

  /** Leaves candidates to other processes: callers of this process do not try them before that time. */
  pass(isForOthers: (candidate: T) => boolean, untilMs: number): void {
    for (const { candidate } of this.#answer) {
      if (isForOthers(candidate)) this.#remember(candidate, untilMs);
    }
    this.#list = this.#list.filter((each) => !isForOthers(each));
  }

  /** Another process was first at these. */
  lose(isTaken: (candidate: T) => boolean): void {
    this.#contendedUntilMs = this.#options.parts.clock.now() + CONTENDED_MS;
    this.pass(isTaken, 0);
  }

  /** The error if no physical partition answered the last query; undefined once one has answered. */
  get error(): ProviderError | undefined {
    return this.#cursors.error;
  }

  /** A physical partition has not answered the last query. */
  get isIncomplete(): boolean {
    return this.#cursors.isIncomplete;
  }

  /** Time to query those again, ms since the epoch; infinite if there are none. */
  get retryMs(): number {
    return this.#cursors.retryMs;
  }

  /** One query at a time for all callers. `retry`: only the partitions that have failed, unless all are due. */
  ask(work: Work, { waitsForAll = false, retry = false }: AskOptions = {}): Promise<void> {
    this.#asking ??= this.#ask(work, waitsForAll, retry).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(work: Work, waitsForAll: boolean, retry: boolean): Promise<void> {
    const { parts, members, group, spec } = this.#options;
    const isRetry = retry && parts.clock.now() < this.#interval.nextMs;
    if (this.#served) this.#cursors.restart();
    this.#served = false;
    this.#news = false;
    try {
      const which = isRetry ? "failed" : "all";
      // Processes share nothing but the partitions.
      if (this.#cursors.ranges > 1) members.noteAsked(group);
      const question = spec();
      const nowMs = parts.clock.now();
      const questionFor = (range: string, ranges: number): SqlQuerySpec | undefined =>
        isRetry || this.#partitions.isAsked(range, ranges, nowMs) ? question : undefined;
      await this.#cursors.ask(work, questionFor, { which, waitsForAll });
    } finally {
      if (!isRetry || this.#news) this.#scheduleNext(parts.clock.now(), this.#news);
    }
    this.#asked++;
  }

  async #take({ range, results }: RangePage<Found>, isLate: boolean): Promise<void> {
    const { parts, isNews, toCandidates, onLate } = this.#options;
    const candidates = await toCandidates(results);
    const nowMs = parts.clock.now();
    const rangeOf = new Map(this.#answer.map((listed) => [listed.candidate, listed.range]));
    const listed = candidates.map((candidate) => ({ range, candidate }));
    this.#answer = [...this.#answer.filter((each) => each.range !== range), ...listed];
    this.#leaveOthers(range, candidates, nowMs);
    const open = candidates.filter(({ id }) => (this.#passed.get(id) ?? 0) <= nowMs);
    const others = this.#list.filter((each) => rangeOf.get(each) !== range);
    this.#list = this.#inOrder([...others, ...open], nowMs);
    const hasNews = open.some((each) => !this.#passed.has(each.id) && isNews(each));
    this.#news ||= hasNews;
    if (!isLate || !hasNews) return;
    this.#scheduleNext(nowMs, true);
    onLate();
  }

  #scheduleNext(nowMs: number, foundNews: boolean): void {
    const isInTurn = takesTurns(this.#options.members.peerGroup(), this.#cursors.ranges);
    this.#interval.asked(nowMs, foundNews, isInTurn);
  }

  /** Leaves rows to the process whose turn it is. */
  #leaveOthers(range: string, candidates: readonly T[], nowMs: number): void {
    const { rowOf } = this.#options;
    const { ranges } = this.#cursors;
    for (const candidate of candidates) {
      const { visibleAtMs, isBound = false } = rowOf(candidate);
      const untilMs = isBound ? undefined : this.#partitions.leftUntilMs(range, ranges, visibleAtMs, nowMs);
      if (untilMs !== undefined) this.#remember(candidate, untilMs);
    }
  }

  /** candidates.CA5. */
  #inOrder(candidates: readonly T[], nowMs: number): T[] {
    const { sort, rowOf, limits } = this.#options;
    const sorted = [...sort(candidates)];
    if (nowMs >= this.#contendedUntilMs) return sorted;
    const isOld = (each: T): boolean => rowOf(each).visibleAtMs <= nowMs - limits.max;
    const keyOf = (each: T): number => mix(this.#ownKey ^ hashOf(rowOf(each).instanceId));
    const young = sorted.filter((each) => !isOld(each)).map((each) => ({ each, key: keyOf(each) }));
    const inOwnOrder = young.sort((a, b) => a.key - b.key).map(({ each }) => each);
    return [...sorted.filter(isOld), ...inOwnOrder];
  }

  #remember({ id }: T, untilMs: number): void {
    if (this.#passed.size > MOST_PASSED) this.#passed.clear();
    this.#passed.set(id, Math.max(untilMs, this.#passed.get(id) ?? 0));
  }
}

export interface AskOptions {
  readonly waitsForAll?: boolean;
  readonly retry?: boolean;
}
