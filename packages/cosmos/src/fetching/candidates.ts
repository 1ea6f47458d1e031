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
 */
import type { SqlQuerySpec } from "@azure/cosmos";
import type { ProviderError } from "@duroxide-ts/core";
import type { Call, Service } from "../service/service.ts";
import { type FoundRow, headStartEndMs, isPreferred } from "./membership/head-start.ts";
import type { Group, Members } from "./membership/members.ts";
import { isShared } from "./membership/team.ts";
import { GrowingInterval, type PollLimits } from "./poll-interval.ts";
import { RangeCursors, type RangePage } from "./range-cursors.ts";

/** Rows of one answer from each physical partition. */
const PAGE = 100;

/** The most rows of other processes that are remembered. */
const MOST_PASSED = 10_000;

export interface CandidateRow {
  readonly id: string;
}

export interface CandidatesOptions<Found, T extends CandidateRow> {
  readonly service: Service;
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
}

/** A candidate, and the physical partition that answered it. */
interface Listed<T> {
  readonly range: string;
  readonly candidate: T;
}

export class Candidates<Found, T extends CandidateRow> {
  readonly #options: CandidatesOptions<Found, T>;
  readonly #interval: GrowingInterval;
  readonly #cursors: RangeCursors<Found>;
  #list: T[] = [];
  /** The last answers of all physical partitions; `#list` has the candidates that were not tried. */
  #answer: readonly Listed<T>[] = [];
  /** Rows for other processes, and when to try them (candidates.CA3). */
  readonly #passed = new Map<string, number>();
  /** A candidate of the last answer was locked (candidates.CA2). */
  #served = false;
  /** Physical partitions of which the next answer is for this process. */
  readonly #ownRanges = new Set<string>();
  /** The query under way has returned unknown work. */
  #news = false;
  #asking: Promise<void> | undefined;
  #asked = 0;

  constructor(options: CandidatesOptions<Found, T>) {
    this.#options = options;
    this.#interval = new GrowingInterval(options.limits);
    const { service, stop } = options;
    this.#cursors = new RangeCursors<Found>({
      service,
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

  /** Leaves nothing of the next answer of the physical partition to preferred processes (head-start.H4). */
  takeAll(range: string): void {
    this.#ownRanges.add(range);
  }

  /** There is no work: the next query is at that time, or after the interval. */
  rest(untilMs?: number): void {
    this.#interval.rest(this.#options.service.clock.now(), untilMs);
  }

  /** There is work: the next query is due. */
  wake(): void {
    this.#interval.wake(this.#options.service.clock.now());
  }

  /** The last answer was not complete. */
  get hasMore(): boolean {
    return this.#cursors.hasMore && !this.#served;
  }

  /** Other processes query the same work. */
  get isShared(): boolean {
    return isShared(this.#options.members.team());
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
  ask(call: Call, { waitsForAll = false, retry = false }: AskOptions = {}): Promise<void> {
    this.#asking ??= this.#ask(call, waitsForAll, retry).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(call: Call, waitsForAll: boolean, retry: boolean): Promise<void> {
    const { service, members, group, spec } = this.#options;
    const isRetry = retry && service.clock.now() < this.#interval.nextMs;
    if (this.#served) this.#cursors.restart();
    this.#served = false;
    this.#news = false;
    try {
      const which = isRetry ? "failed" : "all";
      members.noteAsked(group);
      const question = spec();
      await this.#cursors.ask(call, () => question, { which, waitsForAll });
    } finally {
      if (!isRetry || this.#news) this.#interval.asked(service.clock.now(), this.#news);
    }
    this.#asked++;
  }

  async #take({ range, results }: RangePage<Found>, isLate: boolean): Promise<void> {
    const { service, isNews, toCandidates, sort, onLate } = this.#options;
    const candidates = await toCandidates(results);
    const nowMs = service.clock.now();
    const rangeOf = new Map(this.#answer.map((listed) => [listed.candidate, listed.range]));
    const listed = candidates.map((candidate) => ({ range, candidate }));
    this.#answer = [...this.#answer.filter((each) => each.range !== range), ...listed];
    const isOurs = this.#leaveOthers(this.#ownRanges.delete(range) ? [] : candidates, nowMs);
    const open = candidates.filter(({ id }) => (this.#passed.get(id) ?? 0) <= nowMs);
    const others = this.#list.filter((each) => rangeOf.get(each) !== range);
    const list = sort([...others, ...open]);
    const ours = new Set(list.filter(isOurs));
    this.#list = [...ours, ...list.filter((each) => !ours.has(each))];
    const hasNews = open.some((each) => !this.#passed.has(each.id) && isNews(each));
    this.#news ||= hasNews;
    if (!isLate || !hasNews) return;
    this.#interval.asked(nowMs, true);
    onLate();
  }

  /** Leaves rows to their preferred processes; returns whether this process is that of a row. */
  #leaveOthers(candidates: readonly T[], nowMs: number): (candidate: T) => boolean {
    const { members, rowOf } = this.#options;
    const team = members.team();
    if (!isShared(team)) return () => true;
    const isOurs = (candidate: T): boolean => isPreferred(team, rowOf(candidate));
    for (const candidate of candidates) {
      const untilMs = headStartEndMs(rowOf(candidate));
      if (untilMs > nowMs && !isOurs(candidate)) this.#remember(candidate, untilMs);
    }
    return isOurs;
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
