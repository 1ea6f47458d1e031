/** Parts of the matrix of refusals, chosen by the seed of the run; `npm run dev -- crash-matrix --refused` runs all of it. */
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expect, it } from "vitest";
import { SEED, sample } from "../../../../test/support/effort.ts";
import { OPERATIONS } from "./operations/all.ts";
import { runRefusedMatrix } from "./refused-matrix.ts";

it("a refused operation of a batch is reported or retried, and nothing is lost, left over or retried without pauses", async () => {
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const { connectionString } = emulator;
  const operations = sample(OPERATIONS);
  const results = await runRefusedMatrix({ connectionString, operations, seed: SEED, cellsOfEach: 1 });
  expect(results.flatMap(({ failures }) => failures)).toEqual([]);
});
