/**
 * What one bounded query over the container found to do, shared by all fetches of the process. It is asked again
 * when its interval is over, or when somebody has looked at all of it; a page on which nothing could be had is
 * followed by the next one, so nothing can hide what stands behind it (hazards W16, W30).
 */
import type { SqlQuerySpec } from "@azure/cosmos";
import type { RangePages } from "../service/requests.ts";
import type { Call, Service } from "../service/service.ts";
import { PollInterval, type PollLimits } from "./poll-interval.ts";
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
  readonly spec: (part: PartCondition) => SqlQuerySpec;
  /** The dispatch slot of its row. */
  readonly slotOf: (candidate: T) => unknown;
  /** Whether this process did not know of it. */
  readonly isNews: (candidate: T) => boolean;
  /** Makes candidates of what was found in all physical partitions, in their order. */
  readonly toCandidates: (found: readonly Found[], call: Call) => Promise<readonly T[]>;
}

export class Candidates<Found, T extends Row> {
  readonly #options: CandidatesOptions<Found, T>;
  readonly #interval: PollInterval;
  #list: T[] = [];
  /** What `#list` was at first. */
  #answer: readonly T[] = [];
  /** Rows that are for others, and when to look at them again. They are no reason to ask more often. */
  readonly #passed = new Map<string, number>();
  /** The last question, and where its pages ended, if there are more. */
  #more: { readonly spec: SqlQuerySpec; readonly pages: RangePages } | undefined;
  /** Something of the last answer was of use, so that the next look begins at the front. */
  #served = false;
  #asking: Promise<void> | undefined;
  #asked = 0;

  constructor(options: CandidatesOptions<Found, T>) {
    this.#options = options;
    this.#interval = new PollInterval(options.limits);
  }

  /** How many questions were answered. */
  get asked(): number {
    return this.#asked;
  }

  /** When to ask again although nobody is left to be looked at, ms since the epoch. */
  get nextMs(): number {
    return this.#interval.nextMs;
  }

  /** Nothing has come for so long that the intervals are the longest. */
  get isIdle(): boolean {
    return this.#interval.isLongest;
  }

  /** There is nothing: the next question is put off. */
  rest(): void {
    this.#interval.rest(this.#options.service.clock.now());
  }

  /** There is something: the next question is due. */
  wake(): void {
    this.#interval.wake(this.#options.service.clock.now());
  }

  /** The last answer was not all there is. */
  get hasMore(): boolean {
    return this.#more !== undefined && !this.#served;
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
    for (const each of this.#answer) if (isUseless(each)) this.#passed.delete(each.id);
    if (this.#list.some(isUseless)) this.#list = this.#list.filter((each) => !isUseless(each));
  }

  /** Leaves them to others: for those who ask, there is nothing in them before the instant. */
  pass(isForOthers: (candidate: T) => boolean, untilMs: number): void {
    if (this.#passed.size > MOST_PASSED) this.#passed.clear();
    for (const each of this.#answer) if (isForOthers(each)) this.#passed.set(each.id, untilMs);
    this.#list = this.#list.filter((each) => !isForOthers(each));
  }

  /** One question at a time, whoever asks. */
  ask(call: Call): Promise<void> {
    this.#asking ??= this.#ask(call).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(call: Call): Promise<void> {
    const { service, part, spec, slotOf, isNews, toCandidates } = this.#options;
    const more = this.#served ? undefined : this.#more;
    const question = more?.spec ?? spec(part.condition());
    const { results, next } = await call.pages<Found>(question, PAGE, more?.pages);
    this.#more = next && { spec: question, pages: next };
    this.#served = false;
    this.#answer = part.ownFirst(await toCandidates(results, call), slotOf);
    const nowMs = service.clock.now();
    this.#list = this.#answer.filter(({ id }) => (this.#passed.get(id) ?? 0) <= nowMs);
    this.#asked++;
    const isReason = (each: T): boolean => !this.#passed.has(each.id) && isNews(each);
    this.#interval.asked(nowMs, this.#list.some(isReason));
  }
}
