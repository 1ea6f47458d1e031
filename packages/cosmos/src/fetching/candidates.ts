/**
 * What one bounded query over the container found to do, shared by all fetches of the process. It is asked again
 * when its interval is over, or when somebody has looked at all of it; a page on which nothing could be had is
 * followed by the next one, so nothing can hide what stands behind it (hazards W16, W30).
 */
import type { SqlQuerySpec } from "@azure/cosmos";
import type { ProviderError } from "@duroxide-ts/core";
import type { Call, Service } from "../service/service.ts";
import { PollInterval, type PollLimits } from "./poll-interval.ts";
import { RangeCursors, type RangePage } from "./range-cursors.ts";
import type { Part, PartCondition } from "./slots/part.ts";

/** Rows of one answer from each physical partition. */
const PAGE = 100;

/** So many rows that are for others are remembered. */
const MOST_PASSED = 10_000;

export interface Row {
  readonly id: string;
}

export interface CandidatesOptions<Found, T extends Row> {
  readonly service: Service;
  readonly limits: PollLimits;
  readonly part: Part;
  readonly stop: AbortSignal;
  readonly spec: (part: PartCondition) => SqlQuerySpec;
  /** The dispatch slot of its row. */
  readonly slotOf: (candidate: T) => unknown;
  /** Whether this process did not know of it. */
  readonly isNews: (candidate: T) => boolean;
  /** Makes candidates of what a physical partition answered. */
  readonly toCandidates: (found: readonly Found[]) => Promise<readonly T[]>;
  /** In the order in which they are tried. */
  readonly sort: (candidates: readonly T[]) => readonly T[];
  /** Something has come that no question waits for any more. */
  readonly onLate: () => void;
}

/** A candidate, and the physical partition that answered it. */
interface Listed<T> {
  readonly range: string;
  readonly candidate: T;
}

export class Candidates<Found, T extends Row> {
  readonly #options: CandidatesOptions<Found, T>;
  readonly #interval: PollInterval;
  readonly #cursors: RangeCursors<Found>;
  #list: T[] = [];
  /** The last answers of all physical partitions; `#list` has what of them was not taken. */
  #answer: readonly Listed<T>[] = [];
  /** Rows that are for others, and when to look at them again. They are no reason to ask more often. */
  readonly #passed = new Map<string, number>();
  /** Something of the last answer was of use, so that the next look begins at the front. */
  #served = false;
  /** The question under way has brought something that was not known. */
  #news = false;
  #asking: Promise<void> | undefined;
  #asked = 0;

  constructor(options: CandidatesOptions<Found, T>) {
    this.#options = options;
    this.#interval = new PollInterval(options.limits);
    const { service, stop } = options;
    this.#cursors = new RangeCursors<Found>({
      service,
      stop,
      limit: PAGE,
      onPage: (page, isLate) => this.#take(page, isLate),
    });
  }

  /** How many questions were answered. */
  get asked(): number {
    return this.#asked;
  }

  /** When to ask again although nobody is left to be looked at, ms since the epoch. */
  get nextMs(): number {
    return Math.min(this.#interval.nextMs, this.#cursors.retryMs);
  }

  /** Nothing has come for so long that the intervals are the longest. */
  get isIdle(): boolean {
    return this.#interval.isLongest;
  }

  /** There is nothing: the next question is put off until then, or for the interval. */
  rest(untilMs?: number): void {
    this.#interval.rest(this.#options.service.clock.now(), untilMs);
  }

  /** There is something: the next question is due. */
  wake(): void {
    this.#interval.wake(this.#options.service.clock.now());
  }

  /** The last answer was not all there is. */
  get hasMore(): boolean {
    return this.#cursors.hasMore && !this.#served;
  }

  /** Others look for the same in other slots. */
  get isShared(): boolean {
    return this.#options.part.isShared;
  }

  /** Takes the first one off the list. */
  take(): T | undefined {
    return this.#list.shift();
  }

  /** Leaves it where it is. */
  first(): T | undefined {
    return this.#list[0];
  }

  /** Forgets those that are of no use any more. */
  drop(isUseless: (candidate: T) => boolean): void {
    this.#served = true;
    for (const { candidate } of this.#answer) if (isUseless(candidate)) this.#passed.delete(candidate.id);
    if (this.#list.some(isUseless)) this.#list = this.#list.filter((each) => !isUseless(each));
  }

  /** Leaves them to others: for those who ask, there is nothing in them before the instant. */
  pass(isForOthers: (candidate: T) => boolean, untilMs: number): void {
    if (this.#passed.size > MOST_PASSED) this.#passed.clear();
    for (const { candidate } of this.#answer) {
      if (isForOthers(candidate)) this.#passed.set(candidate.id, untilMs);
    }
    this.#list = this.#list.filter((each) => !isForOthers(each));
  }

  /** Why no physical partition answered the last question; undefined where one has answered since. */
  get error(): ProviderError | undefined {
    return this.#cursors.error;
  }

  /** Some physical partition has not answered the last question. */
  get isIncomplete(): boolean {
    return this.#cursors.isIncomplete;
  }

  /** When to ask those again, ms since the epoch; infinite where there are none. */
  get retryMs(): number {
    return this.#cursors.retryMs;
  }

  /** One question at a time, whoever asks. `retry`: only those that have failed, unless all are due. */
  ask(call: Call, { waitsForAll = false, retry = false }: AskOptions = {}): Promise<void> {
    this.#asking ??= this.#ask(call, waitsForAll, retry).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(call: Call, waitsForAll: boolean, retry: boolean): Promise<void> {
    const { service, part, spec } = this.#options;
    const isRetry = retry && service.clock.now() < this.#interval.nextMs;
    if (this.#served) this.#cursors.restart();
    this.#served = false;
    this.#news = false;
    try {
      const which = isRetry ? "failed" : "all";
      await this.#cursors.ask(call, part.questions(spec), { which, waitsForAll });
    } finally {
      if (!isRetry || this.#news) this.#interval.asked(service.clock.now(), this.#news);
    }
    this.#asked++;
  }

  async #take({ range, results }: RangePage<Found>, isLate: boolean): Promise<void> {
    const { service, part, slotOf, isNews, toCandidates, sort, onLate } = this.#options;
    const candidates = await toCandidates(results);
    const nowMs = service.clock.now();
    const rangeOf = new Map(this.#answer.map((listed) => [listed.candidate, listed.range]));
    const listed = candidates.map((candidate) => ({ range, candidate }));
    this.#answer = [...this.#answer.filter((each) => each.range !== range), ...listed];
    const open = candidates.filter(({ id }) => (this.#passed.get(id) ?? 0) <= nowMs);
    const others = this.#list.filter((each) => rangeOf.get(each) !== range);
    this.#list = [...part.ownFirst(sort([...others, ...open]), slotOf)];
    const hasNews = open.some((each) => !this.#passed.has(each.id) && isNews(each));
    this.#news ||= hasNews;
    if (!isLate || !hasNews) return;
    this.#interval.asked(nowMs, true);
    onLate();
  }
}

export interface AskOptions {
  readonly waitsForAll?: boolean;
  readonly retry?: boolean;
}
