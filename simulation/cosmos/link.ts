/**
 * The connection between one machine and the service. Every request takes its time there, and its answer on the way
 * back.
 *
 * - link.L1: A request that is lost, or whose answer is lost, is never answered: its sender stops waiting by its own
 *   clock.
 * - link.L2: A request that was sent may be executed after its sender has stopped waiting, or its process has ended.
 * - link.L3: Nothing is delivered twice: the connection is a stream, and only the sender repeats a request.
 */
import type { CosmosFault } from "../faults/fault.ts";
import type { Chance } from "../world/chance.ts";

/** Faults of the requests of one machine; rates from 0 to 1. */
export interface LinkWeather {
  /** One way, ms: most take the first, the slow ones up to the second. */
  readonly quickMs: number;
  readonly slowMs: number;
  readonly slowRate: number;
  readonly lostRequests: number;
  readonly lostAnswers: number;
  /** The connection is reset before the request is executed, or after. */
  readonly resets: number;
}

export const CALM_LINK: LinkWeather = {
  quickMs: 3,
  slowMs: 3,
  slowRate: 0,
  lostRequests: 0,
  lostAnswers: 0,
  resets: 0,
};

/** The fate of one request. `undefined` where it does not arrive. */
export interface Passage {
  readonly thereMs: number | undefined;
  readonly backMs: number | undefined;
  readonly reset: "never" | "before" | "after";
  /** Faults of the request. */
  readonly faults: readonly CosmosFault[];
}

/** Longer than any way takes that is not slow. */
const SLOW_MS = 100;

export class Link {
  weather: LinkWeather = CALM_LINK;
  /** Nothing passes, neither there nor back. */
  isCut = false;
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  passage(): Passage {
    const { lostRequests, lostAnswers, resets } = this.weather;
    const thereMs = this.#wayMs();
    const backMs = this.#wayMs();
    const fate = this.#chance.next();
    const reset = this.#chance.happens(0.5) ? "before" : "after";
    if (fate < lostRequests) {
      return { thereMs: undefined, backMs, reset: "never", faults: ["lost-requests"] };
    }
    const slow: readonly CosmosFault[] = Math.max(thereMs, backMs) > SLOW_MS ? ["slow"] : [];
    if (fate < lostRequests + lostAnswers) {
      return { thereMs, backMs: undefined, reset: "never", faults: [...slow, "lost-answers"] };
    }
    const isReset = fate < lostRequests + lostAnswers + resets;
    const faults: readonly CosmosFault[] = isReset ? [...slow, "resets"] : slow;
    return { thereMs, backMs, reset: isReset ? reset : "never", faults };
  }

  #wayMs(): number {
    const { quickMs, slowMs, slowRate } = this.weather;
    const isSlow = this.#chance.happens(slowRate);
    return 1 + this.#chance.below(isSlow ? Math.max(1, slowMs) : quickMs);
  }
}
