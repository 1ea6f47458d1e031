/** Random scripts of calls against the contract as code: other seeds, other scripts. */
import type { ProviderCase } from "../case.ts";
import { modelCase } from "./check-against-model.ts";

const SEEDS = [1, 2, 3, 4, 5];

export const model: readonly ProviderCase[] = SEEDS.map((seed) =>
  modelCase(`random calls agree with the contract (seed ${seed})`, { seed, runs: 10 }),
);
