/**
 * The schedule of a process's beats: in varying intervals, and sooner on request.
 *
 * - beat-schedule.BS1: One beat at a time, because an older beat that ends later would replace what a newer one has
 *   read and written.
 * - beat-schedule.BS2: A request during a beat leads to another beat, because the one under way may have read what it
 *   stores before.
 */
import type { CancelTimer, Clock, Random } from "@duroxide-ts/core";

/** Time within which processes that start together beat, each at its own instant. */
const SOON_MS = 1_000;

/** Intervals vary, so that processes that started together do not beat together for ever. */
const SHORTEST_INTERVAL = 0.8;

export interface BeatScheduleOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The longest interval. */
  readonly beatMs: number;
  /** Must not reject; resolves to whether beats go on. */
  readonly beat: () => Promise<boolean>;
}

export class BeatSchedule {
  readonly #options: BeatScheduleOptions;
  #state: "idle" | "waiting" | "about to beat" | "beating" | "beating, and once more" = "idle";
  #cancel: CancelTimer = () => {};
  #beating: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: BeatScheduleOptions) {
    this.#options = options;
  }

  /** beat-schedule.BS2. */
  soon(): void {
    if (this.#state === "idle" || this.#state === "waiting") this.#beatSoon();
    else if (this.#state === "beating") this.#state = "beating, and once more";
  }

  /** No beat begins any more; awaits the one that is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    await this.#beating;
  }

  #beatSoon(): void {
    this.#state = "about to beat";
    this.#beatAfter(this.#options.random.next() * SOON_MS);
  }

  #beatLater(): void {
    const { random, beatMs } = this.#options;
    this.#state = "waiting";
    this.#beatAfter(beatMs * (SHORTEST_INTERVAL + random.next() * (1 - SHORTEST_INTERVAL)));
  }

  #beatAfter(delayMs: number): void {
    if (this.#closed) return;
    this.#cancel();
    this.#cancel = this.#options.clock.schedule(Math.ceil(delayMs), () => {
      this.#state = "beating";
      this.#beating = this.#beatAndGoOn();
    });
  }

  async #beatAndGoOn(): Promise<void> {
    const goesOn = await this.#options.beat();
    const isWantedSoon = this.#state === "beating, and once more";
    this.#state = "idle";
    if (isWantedSoon) this.#beatSoon();
    else if (goesOn) this.#beatLater();
  }
}
