/** Parts of the crash matrix, chosen by the seed of the run; `npm run dev -- crash-matrix` runs all of it. */

import { availableParallelism } from "node:os";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expect, it } from "vitest";
import { IS_DEEP, SEED, smallSample } from "../../../../test/support/effort.ts";
import { SeededRandom } from "../../../../test/support/seeded-random.ts";
import { type MatrixOptions, runMatrix } from "./matrix.ts";
import { OPERATIONS } from "./operations/all.ts";
import { describeFailure } from "./report.ts";
import { TroubledEndpoint } from "./troubled-endpoint.ts";

async function failuresOf(
  options: Pick<MatrixOptions, "operations" | "troubled">,
): Promise<readonly string[]> {
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const { connectionString } = emulator;
  const lanes = availableParallelism();
  const common = { connectionString, seed: SEED, cellsOfEach: 1, oneFateOfEach: !IS_DEEP, lanes };
  const results = await runMatrix({ ...common, ...options });
  return results.flatMap((result) => result.failures).map(describeFailure);
}

// deletion.D3, delivered-intents.DI3
it("nothing is lost, done twice or left over, whichever request a process dies at", async () => {
  expect(await failuresOf({ operations: smallSample(OPERATIONS) })).toEqual([]);
});

/** Its cells take longer. */
const TROUBLED_OPERATIONS = IS_DEEP ? 15 : 1;

it("nor where physical partitions are split, merged, moved and throttled meanwhile", async () => {
  await using troubled = await TroubledEndpoint.start(SEED);
  const operations = new SeededRandom(SEED).shuffled(OPERATIONS).slice(0, TROUBLED_OPERATIONS);
  expect(await failuresOf({ operations, troubled })).toEqual([]);
  expect([...troubled.counts.keys()].toSorted()).toEqual([
    "merges",
    "moves",
    "splits",
    "throttled partitions",
  ]);
});
