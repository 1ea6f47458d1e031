/** A few storms over a simulated fleet; `npm run slot-simulation -- --seeds 1000` runs many. */
import { expect, it } from "vitest";
import { simulate } from "./simulation.ts";

const SEEDS = 10;

it("every orchestration ends, no slot is orphaned and little moves, whatever befalls up to 32 processes", async () => {
  const first = Math.floor(Math.random() * 2 ** 31);
  process.stdout.write(`slot simulation, seeds ${first} to ${first + SEEDS - 1}\n`);
  for (let seed = first; seed < first + SEEDS; seed++) {
    const { violations } = await simulate(seed);
    expect(violations, `seed ${seed}`).toEqual([]);
  }
});
