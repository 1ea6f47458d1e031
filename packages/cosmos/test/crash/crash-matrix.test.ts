/** A part of the crash matrix, chosen by chance; `npm run crash-matrix` runs all of it. */
import { availableParallelism } from "node:os";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expect, it } from "vitest";
import { runMatrix } from "./matrix.ts";
import { OPERATIONS } from "./operations/all.ts";
import { describeFailure, totalOf } from "./report.ts";

const LONGEST_MS = 240_000;

it(
  "nothing is lost, done twice or left over, whichever request a process dies at",
  async () => {
    await using emulator = await CosmosEmulator.start({ port: 0, explorer: false });
    const { connectionString } = emulator;
    const seed = Math.floor(Math.random() * 2 ** 32);
    const options = { connectionString, seed, cellsOfEach: 1, lanes: availableParallelism() };
    const results = await runMatrix({ ...options, operations: OPERATIONS });
    process.stdout.write(`crash matrix, seed ${seed}: ${totalOf(results)}\n`);
    const failures = results.flatMap((result) => result.failures);
    expect(failures.map(describeFailure)).toEqual([]);
  },
  LONGEST_MS,
);
