/** What can befall a fleet: each begins, and is over after a while. */
import type { SeededRandom } from "../../../../../test/support/seeded-random.ts";
import type { Weather } from "./network.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

const WIDEST_JUMP_MS = 120_000;

export interface Victim {
  readonly process: SimulatedProcess;
  readonly weather: Weather;
  readonly random: SeededRandom;
}

/** Ends it. */
type End = () => void;

export const TROUBLES: Readonly<Record<string, (victim: Victim) => End>> = {
  hang: ({ process }) => {
    process.clock.freeze();
    return () => process.clock.thaw();
  },
  /** It beats on, but has no room for more. */
  busy: ({ process }) => {
    process.isBusy = true;
    return () => {
      process.isBusy = false;
    };
  },
  cut: ({ process }) => {
    process.network.cut();
    return () => process.network.mend();
  },
  throttling: ({ weather, random }) => {
    weather.throttled = random.next() < 0.3 ? 1 : random.next();
    return () => {
      weather.throttled = 0;
    };
  },
  "lost answers": ({ weather, random }) => {
    weather.lostAnswers = random.next();
    return () => {
      weather.lostAnswers = 0;
    };
  },
  "clock jump": ({ process, random }) => {
    process.clock.offsetMs += random.below(2 * WIDEST_JUMP_MS) - WIDEST_JUMP_MS;
    return () => {};
  },
};
