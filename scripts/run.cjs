/**
 * What `npm run demo | test | bench | stress | endpoint | compact | crash-matrix | storm | slot-simulation | build | fix | docs`
 * start. On a machine that has npm and any Node from 18 up it brings what is missing (a newer Node, the dependencies),
 * says so in one line each, and then runs the command. When nothing is missing or stale it adds a few milliseconds.
 *
 * This file and those that it requires before the command runs are plain CommonJS without dependencies,
 * because they must run on the oldest Node and before anything is installed.
 */
const path = require("node:path");
const { parseArgs } = require("node:util");
const { ensureDependencies } = require("./install.cjs");
const { exitLike, Problem, root, run } = require("./process.cjs");
const { ensureNode } = require("./toolchain.cjs");

/** Examples and benchmarks run from the sources of the packages, so they need no build. */
const FROM_SOURCE = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];

/** The command line for Node of each command; `args` are what the user wrote after `--`. */
const COMMANDS = {
  demo: (args) => [...FROM_SOURCE, "examples/order-fulfilment/demo.ts", ...args],
  stress: (args) => [...FROM_SOURCE, "benchmarks/stress.ts", ...args],
  "crash-matrix": (args) => [...FROM_SOURCE, "packages/cosmos/test/crash/main.ts", ...args],
  "slot-simulation": (args) => [...FROM_SOURCE, "packages/cosmos/test/slots/simulation/main.ts", ...args],
  storm: (args) => [...FROM_SOURCE, `packages/${providerOf(args)}/test/storm/main.ts`, ...args],
  bench: (args) => [...FROM_SOURCE, "benchmarks/main.ts", ...args],
  compact: (args) => [...FROM_SOURCE, "packages/sqlite/src/compact-command.ts", ...args],
  endpoint: (args) => [...FROM_SOURCE, "packages/cosmos-emulator/src/cli.ts", ...args],
  test: (args) => ["--disable-warning=ExperimentalWarning", "scripts/check.ts", ...args],
  build: (args) => ["node_modules/typescript/bin/tsc", "-b", ...args],
  docs: (args) => ["node_modules/typedoc/bin/typedoc", ...args],
  fix: (args) => ["node_modules/@biomejs/biome/bin/biome", "check", "--write", ...args],
};

/** Each provider has a storm of its own; without a word it is that of Cosmos DB. */
function providerOf(args) {
  const { provider } = parseArgs({
    args,
    strict: false,
    options: { provider: { type: "string", default: "cosmos" } },
  }).values;
  if (provider === "cosmos" || provider === "sqlite") return provider;
  throw new Problem(`Unknown provider "${provider}". Use: --provider cosmos | sqlite.`);
}

async function main([command = "", ...args]) {
  if (!Object.hasOwn(COMMANDS, command)) {
    const known = Object.keys(COMMANDS).join(" | ");
    throw new Problem(`Unknown command "${command}". Use: npm run ${known}.`);
  }
  const node = ensureNode();
  ensureDependencies(node);
  // Whatever the command starts by the name `node` is the same Node.
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ""}` };
  exitLike(await run(node, COMMANDS[command](args), { cwd: root, env }));
}

main(process.argv.slice(2)).catch((error) => {
  if (!(error instanceof Problem)) throw error;
  console.error(error.message);
  process.exitCode = 1;
});
