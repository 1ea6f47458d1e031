/** A part of the crash matrix, chosen by the seed of the run; `npm run crash-matrix` runs all of it. */

import { availableParallelism } from "node:os";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expect, it } from "vitest";
import { SEED, sample } from "../../../../test/support/effort.ts";
import { runMatrix } from "./matrix.ts";
import { OPERATIONS } from "./operations/all.ts";
import { describeFailure } from "./report.ts";

it("nothing is lost, done twice or left over, whichever request a process dies at", async () => {
  await using emulator = await CosmosEmulator.start({ port: 0, explorer: false });
  const { connectionString } = emulator;
  const options = { connectionString, seed: SEED, cellsOfEach: 1, lanes: availableParallelism() };
  const results = await runMatrix({ ...options, operations: sample(OPERATIONS) });
  const failures = results.flatMap((result) => result.failures);
  expect(failures.map(describeFailure)).toEqual([]);
});
