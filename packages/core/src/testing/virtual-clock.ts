/**
 * A clock that stands still until a test moves it. Timers fire in the order of their due times; between two
 * of them everything that the first one set in motion runs to a standstill.
 */
import { setImmediate as nextRound } from "node:timers/promises";
import type { CancelTimer, Clock } from "../contract/clock.ts";

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Event-loop rounds in a row without a look at the clock after which the program counts as idle. */
const QUIET_ROUNDS = 12;

export class VirtualClock implements Clock {
  #nowMs: number;
  #order = 0;
  /** Counts every use of the clock; whoever works looks at the clock, so a still counter means idle. */
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

  /** When the next timer is due, ms since the epoch; `undefined` when there is none. Looking is no use of the clock. */
  get nextDueMs(): number | undefined {
    return this.#next(Number.POSITIVE_INFINITY)?.dueMs;
  }

  /** Moves time by `ms`, firing what falls due on the way, and returns when nothing is left to do. */
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

  /** Waits, without moving time, until nothing is left to do. */
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
