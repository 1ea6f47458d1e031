/**
 * `npm run dev -- simulate [--seeds 100] [--seed n] [--store cosmos]`: whole clusters in virtual time, one for each seed. The
 * exit code says whether every promise was kept. A seed that fails is made smaller and printed as a command.
 */
import { availableParallelism } from "node:os";
import { CommandLine } from "../scripts/command-line.ts";
import { COSMOS_FAULTS, type Fault, PROCESS_FAULTS, SQLITE_FAULTS, STAGING_FAULTS } from "./faults/fault.ts";
import { Fleet } from "./run/fleet.ts";
import type { Found } from "./run/hunt.ts";
import type { Job, JobResult } from "./run/job.ts";
import { commandOf, shrink } from "./run/shrink.ts";
import { Tally } from "./run/tally.ts";
import { type Limits, STORES } from "./settings.ts";

const FAULTS: readonly Fault[] = [...PROCESS_FAULTS, ...COSMOS_FAULTS, ...STAGING_FAULTS, ...SQLITE_FAULTS];

const line = CommandLine.read({
  call: "npm run dev -- simulate",
  help: ` [flags]

Processes, clients, the provider and its store in one process, in virtual time, with faults: everything from a seed.

  --seeds N       how many (100; 1 where --seed is given)
  --seed N        of the first one; each next has the next number (drawn, and printed)
  --store NAME    cosmos or sqlite (cosmos)
  --minutes M     stop after so many minutes of real time
  --jobs N        seeds at a time (the number of processors)
  --servers N     at most so many processes with a runtime
  --programs N    at most so many orchestrations that clients start
  --no-operators  operators change no instances by hand
  --faults A,B    only these of the faults that the seed has; none for none
  --mutants       how many seeds it takes to find each deliberate bug
  --only NAME     of the deliberate bugs this one
  --trace         print everything that happens
`,
  flags: {
    seeds: { type: "string" },
    seed: { type: "string" },
    store: { type: "string", default: "cosmos" },
    minutes: { type: "string", default: "1000000" },
    jobs: { type: "string", default: String(availableParallelism()) },
    servers: { type: "string" },
    programs: { type: "string" },
    faults: { type: "string" },
    "no-operators": { type: "boolean" },
    mutants: { type: "boolean" },
    only: { type: "string" },
    trace: { type: "boolean" },
  },
});

const MOST_VIOLATIONS = 10;
/** Shrinking takes some twenty runs. */
const MOST_SHRUNK = 3;
const LINE_EVERY_MS = 60_000;

const store = line.choice("store", STORES);
const first = line.values.seed === undefined ? Math.floor(Math.random() * 2 ** 30) : line.number("seed", 0);
const seeds =
  line.values.seeds === undefined ? (line.values.seed === undefined ? 100 : 1) : line.number("seeds", 1);
const endsAtMs = Date.now() + line.number("minutes", 0) * 60_000;
const limits: Limits = {
  ...(line.values["no-operators"] && { operators: false }),
  ...(line.values.servers !== undefined && { servers: line.number("servers", 1) }),
  ...(line.values.programs !== undefined && { programs: line.number("programs", 1) }),
  ...(line.values.faults !== undefined && { faults: faultsIn(line.values.faults) }),
};

if (line.values.mutants) {
  process.exitCode = await reportMutants();
  process.exit();
}
let nextLineAtMs = Date.now() + LINE_EVERY_MS;
process.stdout.write(`simulation on ${store}, seeds ${first} to ${first + seeds - 1}\n`);
using fleet = new Fleet({ processes: Math.min(seeds, line.number("jobs", 1)) });
const tally = new Tally(Date.now());
await fleet.run(jobs(), (result) => {
  tally.add(result);
  if (line.values.trace) process.stdout.write(`${result.trace.join("\n")}\n`);
  if (result.violations.length > 0) {
    show("");
    process.stdout.write(`FAILED  seed ${result.seed}: ${result.violations[0]}\n`);
  }
  show(`${tally.progress(Date.now(), seeds)}`);
  return Date.now() < endsAtMs ? "go on" : "stop";
});
show("");
process.stdout.write(`${tally.report(Date.now())}\n`);
for (const result of tally.failed.slice(0, MOST_SHRUNK)) await explain(result);
process.exitCode = tally.failed.length === 0 ? 0 : 1;

function* jobs(): Generator<Job> {
  for (let seed = first; seed < first + seeds; seed++) {
    yield { seed, store, limits, withTrace: line.values.trace };
  }
}

async function reportMutants(): Promise<number> {
  const { hunt } = await import("./run/hunt.ts");
  process.stdout.write(`mutants on ${store}, seeds from ${first}, ${seeds} at most\n`);
  const found = await hunt({
    store,
    firstSeed: first,
    mostSeeds: seeds,
    processes: line.number("jobs", 1),
    ...(line.values.only !== undefined && { names: [line.values.only] }),
    onFound: ({ mutant, seeds: needed, violation }) => {
      const result = needed === undefined ? "NOT FOUND" : `${needed} seeds`;
      process.stdout.write(
        `${result.padEnd(10)} ${mutant.name}\n${" ".repeat(13)}${(violation ?? "").slice(0, 160)}\n`,
      );
    },
  });
  process.stdout.write(`\n${mutantTable(found)}\n\n`);
  const counts = found.flatMap(({ seeds: needed }) => needed ?? []).toSorted((a, b) => a - b);
  process.stdout.write(
    `${counts.length} of ${found.length} found, median ${counts[Math.floor(counts.length / 2)]}\n`,
  );
  return counts.length === found.length ? 0 : 1;
}

/** Returns the table of mutants for docs/reliability.md. */
function mutantTable(found: readonly Found[]): string {
  const rows = found.map(({ mutant, seeds: needed, violation = "" }) => {
    const [line = ""] = violation.split("\n");
    return `| ${mutant.name} | ${needed ?? "not found"} | ${line.slice(0, 100).replaceAll("|", "/")} |`;
  });
  return ["| Bug | Seeds | What was seen |", "|---|---:|---|", ...rows].join("\n");
}

async function explain(failed: JobResult): Promise<void> {
  const { limits: smallest, result } = await shrink(failed, async (smaller) => {
    const results: JobResult[] = [];
    await fleet.run([{ seed: failed.seed, store, limits: smaller }], (each) => {
      results.push(each);
      return "go on";
    });
    return results[0] ?? failed;
  });
  const violations = result.violations.slice(0, MOST_VIOLATIONS).map((violation) => `  ${violation}`);
  process.stdout.write(`smaller: ${commandOf(failed.seed, store, smallest)}\n${violations.join("\n")}\n`);
}

/** On a terminal the line is written over the last one; elsewhere there is one each minute. */
function show(text: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\u001b[2K${text}`);
  else if (text !== "" && Date.now() >= nextLineAtMs) {
    nextLineAtMs = Date.now() + LINE_EVERY_MS;
    process.stdout.write(`${text}\n`);
  }
}

function faultsIn(text: string): readonly Fault[] {
  if (text === "none") return [];
  return text.split(",").map((name) => {
    const found = FAULTS.find((fault) => fault === name);
    return found ?? line.refuse(`--faults has ${JSON.stringify(name)}, but knows ${FAULTS.join(", ")}`);
  });
}
