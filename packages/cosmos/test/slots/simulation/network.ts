/** Between one process and the store: requests take time, are refused, lost on the way there or on the way back. */

import type { SeededRandom } from "../../../../../test/support/seeded-random.ts";
import { POLL_MS } from "../support/fleet.ts";
import type { ProcessClock } from "../support/process-clock.ts";
import type { WorldTime } from "./world-time.ts";

const TIMEOUT_MS = 10_000;

/** After a cut: the last request is given up, and the next poll comes. */
export const RECOVERY_MS: number = TIMEOUT_MS + POLL_MS;

/** One way. */
const QUICKEST_MS = 2;
const SLOWEST_MS = 60;

/** What all processes meet at the moment; rates from 0 to 1. */
export interface Weather {
  /** Of requests for leases. */
  throttled: number;
  lostAnswers: number;
}

export class Network {
  readonly #world: WorldTime;
  readonly #clock: ProcessClock;
  readonly #random: SeededRandom;
  readonly #weather: Weather;
  /** Cuts may overlap. */
  #cuts = 0;
  #reachableMs = 0;

  constructor(world: WorldTime, clock: ProcessClock, random: SeededRandom, weather: Weather) {
    this.#world = world;
    this.#clock = clock;
    this.#random = random;
    this.#weather = weather;
  }

  /** Nothing arrives any more, neither there nor here. */
  cut(): void {
    this.#cuts++;
  }

  mend(): void {
    this.#cuts--;
    // What was lost on the way is waited for until then.
    this.#reachableMs = this.#world.now() + RECOVERY_MS;
  }

  /** Its requests arrive, and it knows that the last one did not. */
  get isReachable(): boolean {
    return this.#cuts === 0 && this.#world.now() >= this.#reachableMs;
  }

  /** A request for leases, in bad weather too. */
  sendLeases<T>(execute: () => T): Promise<T> {
    return this.#send(execute, this.#weather);
  }

  /** A request for rows, which only a cut keeps from arriving. */
  send<T>(execute: () => T): Promise<T> {
    return this.#send(execute, { throttled: 0, lostAnswers: 0 });
  }

  #send<T>(execute: () => T, { throttled, lostAnswers }: Weather): Promise<T> {
    return new Promise((resolve, reject) => {
      const dropTimeout = this.#clock.schedule(TIMEOUT_MS, () => reject(new Error("no answer")));
      const answer = (settle: () => void, isLost: boolean): void => {
        this.#world.schedule(this.#wayMs(), () => {
          if (this.#cuts > 0 || isLost) return;
          dropTimeout();
          this.#clock.run(settle);
        });
      };
      this.#world.schedule(this.#wayMs(), () => {
        if (this.#cuts > 0) return;
        if (this.#random.next() < throttled)
          return answer(() => reject(tooManyRequests(this.#random)), false);
        try {
          const value = execute();
          answer(() => resolve(value), this.#random.next() < lostAnswers);
        } catch (error) {
          answer(() => reject(error), false);
        }
      });
    });
  }

  #wayMs(): number {
    return QUICKEST_MS + this.#random.below(SLOWEST_MS - QUICKEST_MS);
  }
}

function tooManyRequests(random: SeededRandom): Error {
  return Object.assign(new Error("too many requests"), { code: 429, retryAfterInMs: random.below(2_000) });
}
