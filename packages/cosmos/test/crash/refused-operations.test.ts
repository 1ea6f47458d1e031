/** Operations of batches that the service refuses, for good or for now, chosen by the seed of the run. */
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expect, it } from "vitest";
import { SEED, sample } from "../../../../test/support/effort.ts";
import { SeededRandom } from "../../../../test/support/seeded-random.ts";
import { record } from "./cell.ts";
import { OPERATIONS } from "./operations/all.ts";
import { type RefusedCell, runRefused } from "./refused-cell.ts";

/** A full logical partition stays full; another writer, and throttling, pass. */
const REFUSALS: readonly Pick<RefusedCell, "refusal" | "times">[] = [
  { refusal: { index: 0, status: 403, substatus: 1014 }, times: "always" },
  { refusal: { index: 0, status: 413 }, times: "once" },
  { refusal: { index: 0, status: 400 }, times: "once" },
  { refusal: { index: 0, status: 449 }, times: "once" },
  { refusal: { index: 0, status: 429, substatus: 3200 }, times: "once" },
];

/** Most batches have fewer operations. */
const OPERATIONS_OF_A_BATCH = 8;

it("a refused operation of a batch is told or repeated, and nothing is lost, left over or tried without pauses", async () => {
  await using emulator = await CosmosEmulator.start({ port: 0, explorer: false });
  const { connectionString } = emulator;
  const random = new SeededRandom(SEED);
  let containers = 0;
  const place = () => ({ connectionString, container: `refused-${containers++}` });
  const violations: string[] = [];
  for (const operation of sample(OPERATIONS)) {
    const recorded = await record(place(), operation);
    const batches = recorded.requests.filter((request) => request.startsWith("batch")).length;
    if (batches === 0) continue;
    const [drawn] = random.shuffled(REFUSALS);
    if (drawn === undefined) continue;
    const batch = random.below(batches);
    const refusal = { ...drawn.refusal, index: random.below(OPERATIONS_OF_A_BATCH) };
    const result = await runRefused(place(), { recorded, batch, refusal, times: drawn.times });
    for (const each of result.violations)
      violations.push(
        `${operation.name}, batch ${batch}, ${JSON.stringify(refusal)}, ${result.met}: ${each}`,
      );
  }
  expect(violations).toEqual([]);
});
