/**
 * `npm test`: everything that must hold before a change is merged, the quickest step first, stopping at the
 * first that fails. Tests of random cases run a sample by a seed that is printed; `npm run dev -- test:deep` runs them
 * whole. The last line is `N passed, N failed`, counted in tests; a failing step before the tests
 * counts as one failure. With arguments (`npm test -- packages/core/test/wire`) only those test files run,
 * without the other steps.
 */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { CommandLine } from "./command-line.ts";
import { type Count, countTests } from "./count-tests.ts";
import { leftOut } from "./left-out.ts";
import { COMPILER, ROOT, scriptOf } from "./node-tool.ts";

interface Step {
  readonly name: string;
  /** A program in node_modules, run by this Node. */
  readonly program: string;
  readonly args: readonly string[];
  /** Advice that is printed when the step fails. */
  readonly advice: string;
}

const REPORT = path.join(ROOT, "node_modules", ".cache", "test-report.json");

const BEFORE_TESTS: readonly Step[] = [
  {
    name: "Format and lint",
    program: "@biomejs/biome/bin/biome",
    args: ["check", "--error-on-warnings"],
    advice: "`npm run dev -- fix` repairs what can be repaired automatically.",
  },
  {
    name: "Build the packages",
    program: COMPILER,
    args: ["-b"],
    advice: "The compiler's messages are above.",
  },
  {
    name: "Types of tests, examples and scripts",
    program: COMPILER,
    args: ["-p", "tsconfig.test.json"],
    advice: "The compiler's messages are above.",
  },
];

/** After the tests: half-finished work has unused parts, and its tests should run all the same. */
const AFTER_TESTS: Step = {
  name: "Unused files, exports and dependencies",
  program: "knip/bin/knip.js",
  args: ["--no-progress", "--no-config-hints"],
  advice: "Use it or delete it.",
};

const HELP = ` [-- paths] [flags] [-- flags of vitest]

Without arguments: everything that must hold before a change is merged, in this order: format and lint, build, types,
tests, unused code. It stops at the first step that fails. With arguments: only the tests that they name.

  paths       tests whose path contains one of these, such as packages/core
  -t PATTERN  only tests whose name matches
  --seed N    the random cases of that run; otherwise each run has others
  --effort X  how many random cases: 1 is a thorough search, as in npm run dev -- test:deep (0.2)
  -u          write snapshots and the pages that are made from programs again

The last line is "N passed, N failed".
`;

const FLAGS = {
  testNamePattern: { type: "string", short: "t" },
  update: { type: "boolean", short: "u" },
  seed: { type: "string", default: String(randomInt(2 ** 31)) },
  effort: { type: "string", default: "0.2" },
} as const;

function main(): number {
  const { selection, random } = selected();
  if (selection.length > 0) return report(runTests(selection, random));
  for (const step of BEFORE_TESTS) {
    if (!passes(step)) return report({ passed: 0, failed: 1 });
  }
  const count = runTests([], random);
  if (count.failed > 0 || passes(AFTER_TESTS)) return report(count);
  return report({ ...count, failed: 1 });
}

/** Choice of the random cases that run (test/support/effort.ts). */
interface RandomCases {
  readonly seed: number;
  readonly effort: number;
}

/** Reads the user's choice, as vitest takes it. */
function selected(): { readonly selection: readonly string[]; readonly random: RandomCases } {
  const line = CommandLine.read({
    call: "npm test",
    help: HELP,
    flags: FLAGS,
    takesWords: true,
    passesOn: true,
  });
  const { words, values, passedOn } = line;
  const { testNamePattern, update } = values;
  const random = { seed: line.number("seed", 0), effort: line.number("effort", 0) };
  const selection = [
    ...words,
    ...(testNamePattern === undefined ? [] : [`--testNamePattern=${testNamePattern}`]),
    ...(update ? ["--update"] : []),
    ...passedOn,
  ];
  return { selection, random };
}

/** One line per step; the tool's own output only where something is wrong. */
function passes(step: Step): boolean {
  process.stdout.write(`${step.name} … `);
  const startedMs = performance.now();
  const result = start(step.program, step.args, "pipe");
  if (result.status === 0) {
    console.log(`ok (${seconds(startedMs)})`);
    return true;
  }
  console.log(`FAILED (${seconds(startedMs)})\n`);
  console.log(`${result.stderr}${result.stdout}${result.error?.message ?? ""}`.trim());
  console.log(`\n${step.name} failed: the check ends here. ${step.advice}`);
  return false;
}

function runTests(files: readonly string[], { seed, effort }: RandomCases): Count {
  console.log(files.length === 0 ? "Tests …" : `Tests in ${files.join(", ")} (without the other checks) …`);
  console.log(`Random cases by seed ${seed}; --seed ${seed} brings them back.`);
  mkdirSync(path.dirname(REPORT), { recursive: true });
  const startedMs = performance.now();
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${REPORT}`];
  const some = files.length === 0 ? leftOut({ seed, effort }) : [];
  const result = start("vitest/vitest.mjs", ["run", ...reporters, ...some, ...files], "inherit", {
    TEST_SEED: String(seed),
    TEST_EFFORT: String(effort),
  });
  const count = countTests(REPORT, result.status === 0);
  console.log(`Tests … ${count.failed === 0 ? "ok" : "FAILED"} (${seconds(startedMs)})`);
  return count;
}

function start(
  program: string,
  args: readonly string[],
  stdio: "pipe" | "inherit",
  variables: Readonly<Record<string, string>> = {},
): SpawnSyncReturns<string> {
  // Tools drop their colours when their output is captured; it is shown on the same terminal after all.
  const colour = process.stdout.isTTY && process.env.NO_COLOR === undefined ? { FORCE_COLOR: "1" } : {};
  const env = { ...process.env, ...colour, ...variables };
  return spawnSync(process.execPath, [...process.execArgv, scriptOf(program), ...args], {
    cwd: ROOT,
    encoding: "utf8",
    env,
    maxBuffer: 64 * 1024 * 1024,
    stdio: stdio === "pipe" ? ["ignore", "pipe", "pipe"] : "inherit",
  });
}

function report({ passed, failed }: Count): number {
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}

process.exitCode = main();
