/** Random scripts of calls in lock step with the in-memory provider: other seeds, other scripts. */
import type { ProviderCase } from "../case.ts";
import { modelCase } from "./check-against-model.ts";

const SEEDS = [1, 2, 3, 4, 5];

export const model: readonly ProviderCase[] = SEEDS.map((seed) =>
  modelCase(`random calls agree with the in-memory provider (seed ${seed})`, { seed, runs: 10 }),
);
