/**
 * `npm run crash-matrix -- [--seed n] [--cells n] [--only text]`: the whole crash matrix, or so many cells of each
 * operation and fate, or the operations whose names contain a text. The exit code says whether every cell passed.
 */
import { availableParallelism } from "node:os";

import { CommandLine } from "../../../../scripts/command-line.ts";

const line = CommandLine.read({
  call: "npm run crash-matrix",
  help: ` [-- flags]

Cosmos DB: kills a process before and after each request of every operation, loses each answer once, and checks that
another process finishes the work.

  --only TEXT  only the operations whose names contain this
  --cells N    only so many cells of each operation and fate
  --seed N     of what is drawn (1)
`,
  flags: {
    seed: { type: "string", default: "1" },
    cells: { type: "string" },
    only: { type: "string", default: "" },
  },
});
const { values } = line;
const seed = line.number("seed", 0);
const cellsOfEach = values.cells === undefined ? undefined : line.number("cells", 1);
// A wrong flag is refused before the matrix is loaded, which takes longer.
const { CosmosEmulator } = await import("@duroxide-ts/cosmos-emulator");
const { runMatrix } = await import("./matrix.ts");
const { OPERATIONS } = await import("./operations/all.ts");
const { describeFailure, HEADING, lineOf, totalOf } = await import("./report.ts");
const operations = OPERATIONS.filter(({ name }) => name.includes(values.only));
if (operations.length === 0) line.refuse(`no operation has "${values.only}" in its name`);
const print = (line: string): boolean => process.stdout.write(`${line}\n`);

await using emulator = await CosmosEmulator.start({ port: 0, explorer: false });
const startedMs = performance.now();
print(`crash matrix, seed ${seed}\n\n${HEADING}`);
const results = await runMatrix({
  connectionString: emulator.connectionString,
  operations,
  seed,
  lanes: availableParallelism(),
  ...(cellsOfEach !== undefined && { cellsOfEach }),
  onOperation: (result) => print(lineOf(result)),
});
const failures = results.flatMap((result) => result.failures);
for (const failure of failures) print(`\n${describeFailure(failure)}`);
print(`\n${totalOf(results)} (${((performance.now() - startedMs) / 1_000).toFixed(0)} s)`);
process.exitCode = failures.length === 0 ? 0 : 1;
