/**
 * `npm run crash-matrix -- [--seed n] [--cells n] [--only text]`: the whole crash matrix, or so many cells of each
 * operation and fate, or the operations whose names contain a text. The exit code says whether every cell passed.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { numberFlag } from "../../../../test/support/number-flag.ts";
import { runMatrix } from "./matrix.ts";
import { OPERATIONS } from "./operations/all.ts";
import { describeFailure, HEADING, lineOf, totalOf } from "./report.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    cells: { type: "string" },
    only: { type: "string", default: "" },
  },
});
const seed = numberFlag("seed", values.seed, 0);
const print = (line: string): boolean => process.stdout.write(`${line}\n`);

await using emulator = await CosmosEmulator.start({ port: 0, explorer: false });
const startedMs = performance.now();
print(`crash matrix, seed ${seed}\n\n${HEADING}`);
const results = await runMatrix({
  connectionString: emulator.connectionString,
  operations: OPERATIONS.filter(({ name }) => name.includes(values.only)),
  seed,
  lanes: availableParallelism(),
  ...(values.cells !== undefined && { cellsOfEach: numberFlag("cells", values.cells, 1) }),
  onOperation: (result) => print(lineOf(result)),
});
const failures = results.flatMap((result) => result.failures);
for (const failure of failures) print(`\n${describeFailure(failure)}`);
print(`\n${totalOf(results)} (${((performance.now() - startedMs) / 1_000).toFixed(0)} s)`);
process.exitCode = failures.length === 0 ? 0 : 1;
