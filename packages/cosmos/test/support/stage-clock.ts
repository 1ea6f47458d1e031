/**
 * The time of a stage. It stands still, or, once it runs, moves on to the next timer that is due soon whenever no
 * request is on its way: requests that were refused for a while are then repeated, on a machine of any speed.
 */
import { setTimeout } from "node:timers/promises";
import { VirtualClock } from "@duroxide-ts/core/testing";

/** Longer than every pause before a repetition, and shorter than the intervals of passes. */
const SOON_MS = 5_000;

/** The client library lets a moment pass before it repeats a request. */
const REPETITION_MS = 3;

/** Number of checks in a row without a request or a timer soon, after which nothing happens any more. */
const QUIET_LOOKS = 3;

export class StageClock extends VirtualClock {
  readonly #isIdle: () => boolean;
  readonly #stopping = new AbortController();
  /** One movement at a time, because two would set the time back. */
  #moving: Promise<unknown> = Promise.resolve();
  #running: Promise<void> | undefined;
  #quietLooks = 0;

  /** `isIdle`: no request is on its way. */
  constructor(startMs: number, isIdle: () => boolean) {
    super(startMs);
    this.#isIdle = isIdle;
  }

  /** Lets time run until `stop`. */
  run(): void {
    this.#running ??= this.#run();
  }

  stop(): void {
    this.#stopping.abort();
  }

  override advance(ms: number): Promise<void> {
    return this.#inTurn(() => super.advance(ms));
  }

  /** Resolves, if time runs, when no request is on its way and no timer is due soon. */
  async quiet(): Promise<void> {
    if (this.#running === undefined) return;
    this.#quietLooks = 0;
    const { signal } = this.#stopping;
    while (this.#quietLooks < QUIET_LOOKS && !signal.aborted) await setTimeout(REPETITION_MS);
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await setTimeout(REPETITION_MS);
      await this.#inTurn(() => this.#moveOn());
    }
  }

  async #moveOn(): Promise<void> {
    await this.settle();
    const dueInMs = (this.nextDueMs ?? Number.POSITIVE_INFINITY) - this.now();
    const isBusy = !this.#isIdle();
    this.#quietLooks = isBusy || dueInMs <= SOON_MS ? 0 : this.#quietLooks + 1;
    if (!isBusy && dueInMs <= SOON_MS) await super.advance(Math.max(0, dueInMs));
  }

  #inTurn(move: () => Promise<void>): Promise<void> {
    const moved = this.#moving.then(move);
    this.#moving = moved.catch(() => {});
    return moved;
  }
}
