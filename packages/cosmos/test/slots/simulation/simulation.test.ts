/** A few storms over a simulated fleet; `npm run slot-simulation -- --seeds 1000` runs many. */
import { expect, it } from "vitest";
import { runs, SEED } from "../../../../../test/support/effort.ts";
import { simulate } from "./simulation.ts";

const SEEDS = runs(20);

it("every orchestration ends, no slot is orphaned and little moves, whatever befalls up to 32 processes", async () => {
  const first = SEED * SEEDS;
  for (let seed = first; seed < first + SEEDS; seed++) {
    const { violations } = await simulate(seed);
    expect(violations, `seed ${seed}`).toEqual([]);
  }
});
