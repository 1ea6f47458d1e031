/**
 * `npm run crash-matrix -- [--troubled] [--seed n] [--cells n] [--only text]`: the whole crash matrix, or so many cells of each
 * operation and fate, or the operations whose names contain a text. The exit code says whether every cell passed.
 */
import { availableParallelism } from "node:os";
import { CommandLine } from "../../../../scripts/command-line.ts";

const line = CommandLine.read({
  call: "npm run crash-matrix",
  help: ` [-- flags]

Cosmos DB: kills a process before and after each request of every operation, loses each answer once, and checks that
another process finishes the work.

  --troubled   on an endpoint that splits, merges, moves and throttles physical partitions, answers short pages and
               takes 5 to 20 ms for a request
  --only TEXT  only the operations whose names contain this
  --cells N    only so many cells of each operation and fate
  --lanes N    cells at a time (the number of processors)
  --seed N     of what is drawn (1)
`,
  flags: {
    seed: { type: "string", default: "1" },
    cells: { type: "string" },
    lanes: { type: "string" },
    troubled: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});
const { values } = line;
const seed = line.number("seed", 0);
const lanes = values.lanes === undefined ? availableParallelism() : line.number("lanes", 1);
const cellsOfEach = values.cells === undefined ? undefined : line.number("cells", 1);
// A wrong flag is refused before the matrix is loaded, which takes longer.
const { CosmosEmulator } = await import("@duroxide-ts/cosmos-emulator");
const { runMatrix } = await import("./matrix.ts");
const { TroubledEndpoint } = await import("./troubled-endpoint.ts");
const { OPERATIONS } = await import("./operations/all.ts");
const { describeFailure, HEADING, lineOf, totalOf } = await import("./report.ts");
const operations = OPERATIONS.filter(({ name }) => name.includes(values.only));
if (operations.length === 0) line.refuse(`no operation has "${values.only}" in its name`);
const print = (line: string): boolean => process.stdout.write(`${line}\n`);

await using emulator = await CosmosEmulator.start({ port: 0, explorer: false });
await using troubled = values.troubled === true ? await TroubledEndpoint.start(seed) : undefined;
const startedMs = performance.now();
print(`crash matrix${troubled === undefined ? "" : " on a troubled endpoint"}, seed ${seed}\n\n${HEADING}`);
const results = await runMatrix({
  connectionString: emulator.connectionString,
  operations,
  seed,
  lanes,
  ...(cellsOfEach !== undefined && { cellsOfEach }),
  ...(troubled !== undefined && { troubled }),
  onOperation: (result) => {
    print(lineOf(result));
    for (const failure of result.failures) print(describeFailure(failure));
  },
});
const failures = results.flatMap((result) => result.failures);
print(`\n${totalOf(results)} (${((performance.now() - startedMs) / 1_000).toFixed(0)} s)`);
if (troubled !== undefined) print([...troubled.counts].map(([what, count]) => `${count} ${what}`).join(", "));
process.exitCode = failures.length === 0 ? 0 : 1;
