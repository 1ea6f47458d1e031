/**
 * A clock that moves only when a test advances it.
 *
 * - virtual-clock.VC1: Timers fire in the order of their due times, timers of one time in the order in which they were
 *   set. While a timer fires, `now` is its due time.
 * - virtual-clock.VC2: All work that one timer causes runs before the next fires, and the timers that this work sets
 *   fire in the same `advance` if they are due. So a result does not depend on how far one call advances.
 */
import type { CancelTimer, Clock } from "../contract/clock.ts";
import { nextRound } from "../host/originals.ts";

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/** The program counts as idle after this number of event-loop rounds without a use of the clock. */
const QUIET_ROUNDS = 12;

/** A clock for tests: time stands still until `advance` moves it. */
export class VirtualClock implements Clock {
  #nowMs: number;
  #order = 0;
  /** Counts every use of the clock. Working code uses the clock, so an unchanged counter means idle. */
  #uses = 0;
  readonly #timers = new Set<Timer>();

  /** Starts at `startMs`, by default 2023-11-14T22:13:20Z. */
  constructor(startMs = 1_700_000_000_000) {
    this.#nowMs = startMs;
  }

  now(): number {
    this.#uses++;
    return this.#nowMs;
  }

  schedule(delayMs: number, callback: () => void): CancelTimer {
    this.#uses++;
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, callback };
    this.#timers.add(timer);
    return () => {
      this.#uses++;
      this.#timers.delete(timer);
    };
  }

  /**
   * Time at which the next timer is due, ms since the epoch; `undefined` if there is none. Reading it does not count as
   * a use.
   */
  get nextDueMs(): number | undefined {
    return this.#next(Number.POSITIVE_INFINITY)?.dueMs;
  }

  /**
   * Advances by `ms`, fires timers that become due, and returns when no work is due.
   *
   * @example
   * ```ts
   * const clock = new VirtualClock();
   * await clock.advance(60_000);
   * ```
   */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    await this.settle();
    for (let timer = this.#next(endMs); timer !== undefined; timer = this.#next(endMs)) {
      this.#nowMs = Math.max(this.#nowMs, timer.dueMs);
      this.#timers.delete(timer);
      timer.callback();
      await this.settle();
    }
    this.#nowMs = endMs;
  }

  /**
   * Waits, without advancing, until no work is due.
   *
   * @example
   * ```ts
   * await new VirtualClock().settle();
   * ```
   */
  async settle(): Promise<void> {
    let quiet = 0;
    let seen = this.#uses;
    while (quiet < QUIET_ROUNDS) {
      await nextRound();
      quiet = this.#uses === seen ? quiet + 1 : 0;
      seen = this.#uses;
    }
  }

  #next(endMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs > endMs) continue;
      if (next === undefined || timer.dueMs < next.dueMs) next = timer;
      else if (timer.dueMs === next.dueMs && timer.order < next.order) next = timer;
    }
    return next;
  }
}
