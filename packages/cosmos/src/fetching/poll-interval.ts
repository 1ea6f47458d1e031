/**
 * The interval of queries for work of other processes. It follows the time between the last finds, and grows with each
 * query that finds nothing.
 *
 * - poll-interval.PI1: A process sends several queries in the time in which work usually comes. Processes that share
 *   the work find less each, and query less often, so that together they query about as often as one would.
 * - poll-interval.PI2: Intervals vary, because processes that found the same work would query at the same time again,
 *   and try the same work again.
 * - poll-interval.PI3: A process that takes turns (membership/turns.ts), and would wait for more than half of the
 *   longest interval, queries at the beginning of the next longest interval. Otherwise it could skip the interval in
 *   which a partition is its own, and a row there would wait for the end of another one. So a row waits for one and a
 *   half intervals at most. Shorter waits are left as they are: with a query at each beginning a fleet costs up to 13 %
 *   more, and finds work later.
 */
import type { Random } from "@duroxide-ts/core";

export interface PollLimits {
  readonly min: number;
  readonly max: number;
}

/** Queries in the time between two finds. */
const QUERIES = 2.5;
/** The same where others count on the queries of this process (membership/turns.ts). */
const QUERIES_IN_TURN = 9;
/** The longest time between two finds that counts, ms: after a find the interval is short, whatever came before. */
const LONGEST_GAP_MS = 1_000;
/** Growth of the interval with each query that finds nothing. */
const GROWTH = 1.1;
/** Part of the interval by which it varies, half of it in either direction. */
const VARIANCE = 0.5;

export class PollInterval {
  readonly #limits: PollLimits;
  readonly #random: Random;
  #intervalMs: number;
  #nextMs = 0;
  /** Mean of the last times between two finds, of which later ones weigh more. */
  #gapMs = LONGEST_GAP_MS;
  #foundMs = Number.NEGATIVE_INFINITY;
  /** A query is due and has not begun. */
  #woken = false;

  constructor(limits: PollLimits, random: Random) {
    this.#limits = limits;
    this.#random = random;
    this.#intervalMs = this.#afterFind(QUERIES);
  }

  /** The time of the next query, ms since the epoch. */
  get nextMs(): number {
    return this.#nextMs;
  }

  /** The interval has reached its maximum. */
  get isLongest(): boolean {
    return !this.#woken && this.#intervalMs === this.#limits.max;
  }

  /** A query before that time would find nothing; without a time, before the end of another interval. */
  postpone(nowMs: number, untilMs: number = nowMs + this.#intervalMs): void {
    this.#nextMs = untilMs;
  }

  /** There is work. The answer decides whether the interval becomes shorter. */
  resumePolling(nowMs: number): void {
    this.#woken = true;
    this.#nextMs = nowMs;
  }

  /** After an answer, with or without work that was unknown to this process. */
  asked(nowMs: number, foundNews: boolean, takesTurns = false): void {
    this.#woken = false;
    if (foundNews) {
      this.#gapMs = (this.#gapMs + Math.min(Math.max(0, nowMs - this.#foundMs), LONGEST_GAP_MS)) / 2;
      this.#foundMs = nowMs;
      this.#intervalMs = this.#afterFind(takesTurns ? QUERIES_IN_TURN : QUERIES);
    } else this.#intervalMs = Math.min(this.#intervalMs * GROWTH, this.#limits.max);
    const part = this.isLongest ? 1 : 1 + VARIANCE * (this.#random.next() - 0.5);
    const waitMs = Math.ceil(this.#intervalMs * part);
    this.#nextMs = nowMs + waitMs;
    // poll-interval.PI3.
    if (takesTurns && waitMs > this.#limits.max / 2)
      this.#nextMs = Math.min(this.#nextMs, this.#nextTurnMs(nowMs));
  }

  #nextTurnMs(nowMs: number): number {
    const { max } = this.#limits;
    return (Math.floor(nowMs / max) + 1) * max;
  }

  #afterFind(queries: number): number {
    const { min, max } = this.#limits;
    return Math.min(Math.max(min, this.#gapMs / queries), max);
  }
}
