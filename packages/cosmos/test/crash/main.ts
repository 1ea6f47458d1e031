/**
 * `npm run dev -- crash-matrix [--troubled | --refused] [--seed n] [--cells n] [--only text]`: the whole crash matrix, or so
 * many cells of each operation and fate, or the operations whose names contain a text. The exit code says whether every
 * cell passed.
 */
import { availableParallelism } from "node:os";
import { CommandLine } from "../../../../scripts/command-line.ts";

const line = CommandLine.read({
  call: "npm run dev -- crash-matrix",
  help: ` [flags]

Cosmos DB: kills a process before and after each request of every operation, loses each answer once, and checks that
another process finishes the work.

  --troubled   on an endpoint that splits, merges, moves and throttles physical partitions, answers short pages and
               takes 5 to 20 ms for a request
  --refused    instead of deaths: each operation of each batch is refused, as full, too large, malformed, conflicting
               or throttled
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
    refused: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});
const { values } = line;
const seed = line.number("seed", 0);
const lanes = values.lanes === undefined ? availableParallelism() : line.number("lanes", 1);
const cellsOfEach = values.cells === undefined ? undefined : line.number("cells", 1);
if (values.refused === true && values.troubled === true)
  line.refuse("--refused runs on the calm endpoint, without --troubled");
// A wrong flag is refused before the matrix is loaded, which takes longer.
const { CosmosEmulator } = await import("@duroxide-ts/cosmos-emulator");
const { runMatrix } = await import("./matrix.ts");
const { runRefusedMatrix } = await import("./refused-matrix.ts");
const { TroubledEndpoint } = await import("./troubled-endpoint.ts");
const { OPERATIONS } = await import("./operations/all.ts");
const { describeFailure, HEADING, lineOf, totalOf } = await import("./report.ts");
const operations = OPERATIONS.filter(({ name }) => name.includes(values.only));
if (operations.length === 0) line.refuse(`no operation has "${values.only}" in its name`);
const print = (line: string): boolean => process.stdout.write(`${line}\n`);

await using emulator = await CosmosEmulator.start({ port: 0 });
const { connectionString } = emulator;
const startedMs = performance.now();
const seconds = (): string => ((performance.now() - startedMs) / 1_000).toFixed(0);
const common = { connectionString, operations, seed, ...(cellsOfEach !== undefined && { cellsOfEach }) };
const failed = values.refused === true ? await refusals() : await deaths();
process.exitCode = failed === 0 ? 0 : 1;

async function deaths(): Promise<number> {
  await using troubled = values.troubled === true ? await TroubledEndpoint.start(seed) : undefined;
  print(`crash matrix${troubled === undefined ? "" : " on a troubled endpoint"}, seed ${seed}\n\n${HEADING}`);
  const results = await runMatrix({
    ...common,
    lanes,
    ...(troubled !== undefined && { troubled }),
    onOperation: (result) => {
      print(lineOf(result));
      for (const failure of result.failures) print(describeFailure(failure));
    },
  });
  print(`\n${totalOf(results)} (${seconds()} s)`);
  if (troubled !== undefined)
    print([...troubled.counts].map(([what, count]) => `${count} ${what}`).join(", "));
  return results.flatMap((result) => result.failures).length;
}

async function refusals(): Promise<number> {
  print(`refused operations of batches, seed ${seed}\n`);
  const results = await runRefusedMatrix({
    ...common,
    onOperation: ({ name, cells, run, failures }) => {
      print(`${name}: ${run} of ${cells} run, ${failures.length} violations`);
      for (const failure of failures) print(failure);
    },
  });
  const failures = results.flatMap((result) => result.failures);
  const run = results.reduce((sum, each) => sum + each.run, 0);
  print(`\n${results.length} operations, ${run} cells run, ${failures.length} violations (${seconds()} s)`);
  return failures.length;
}
