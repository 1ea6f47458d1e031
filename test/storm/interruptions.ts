/** Kills one of the processes every now and then, or freezes it beyond all its locks, at times that the seed decides. */
import { setTimeout as sleep } from "node:timers/promises";
import type { SeededRandom } from "../support/seeded-random.ts";
import type { Processes } from "./processes.ts";

/** One of so many is a freeze. */
const FREEZES = 4;

export interface InterruptionsOptions {
  readonly processes: Processes;
  readonly random: SeededRandom;
  /** Shortest and longest time between two, ms. */
  readonly calmMs: readonly [number, number];
  /** Longer than the locks of the processes. */
  readonly frozenMs: number;
  /** How long they go on, ms. What has begun by then ends in peace, however slow the machine is. */
  readonly durationMs: number;
  /**
   * Whether a frozen process blocks the writes of all others. It is thawed then, and frozen a little later, because the
   * locks of the others would expire.
   */
  readonly isHeld?: () => Promise<boolean>;
}

export class Interruptions {
  readonly #options: InterruptionsOptions;
  readonly #end = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: InterruptionsOptions) {
    this.#options = options;
    this.#running = this.#run();
    setTimeout(() => this.#end.abort(), options.durationMs).unref();
  }

  /** Resolves when every process runs. */
  async end(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { random, processes, calmMs } = this.#options;
    const [least, most] = calmMs;
    while (await this.#pause(least + random.next() * (most - least))) {
      const { serving } = processes;
      const seat = serving[random.below(serving.length)];
      if (seat === undefined) continue;
      if (random.below(FREEZES) === 0) void this.#freeze(seat);
      else processes.kill(seat);
    }
    processes.thaw();
  }

  async #freeze(seat: number): Promise<void> {
    const { processes, frozenMs, isHeld = async () => false } = this.#options;
    processes.freeze(seat);
    while (await isHeld()) {
      processes.thaw(seat);
      await sleep(20);
      if (this.#end.signal.aborted) return;
      processes.freeze(seat);
    }
    await this.#pause(frozenMs);
    processes.thaw(seat);
  }

  /** False when the interruptions are over. */
  async #pause(ms: number): Promise<boolean> {
    const { signal } = this.#end;
    await sleep(ms, undefined, { signal }).catch(() => {});
    return !signal.aborted;
  }
}
