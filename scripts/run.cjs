/**
 * Starts the commands of package.json. On a machine that has npm and any Node from 18 up it brings what is missing (a
 * newer Node, the dependencies), says so in one line each, and then runs the command. When nothing is missing or stale
 * it adds a few milliseconds.
 *
 * This file and those that it requires before the command runs are plain CommonJS without dependencies, because they
 * must run on the oldest Node and before anything is installed.
 */
const path = require("node:path");
const { ensureDependencies } = require("./install.cjs");
const { exitLike, Problem, root, run } = require("./process.cjs");
const { ensureNode } = require("./toolchain.cjs");

/** Examples and benchmarks run from the sources of the packages, so they need no build. */
const FROM_SOURCE = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];

/** The command line for Node of each command; `args` are what the user wrote after `--`. */
const COMMANDS = {
  demo: (args) => [...FROM_SOURCE, "examples/order-fulfilment/demo.ts", ...args],
  example: (args) => [...FROM_SOURCE, "scripts/example.ts", ...args],
  stress: (args) => [...FROM_SOURCE, "packages/cli/src/main.ts", "stress", ...args],
  "crash-matrix": (args) => [...FROM_SOURCE, "packages/cosmos/test/crash/main.ts", ...args],
  simulate: (args) => [...FROM_SOURCE, "simulation/main.ts", ...args],
  "fleet-costs": (args) => [...FROM_SOURCE, "simulation/fleets/main.ts", ...args],
  "azure-check": (args) => [...FROM_SOURCE, "packages/cosmos/azure-check/main.ts", ...args],
  storm: (args) => [...FROM_SOURCE, "packages/cosmos/test/storm/main.ts", ...args],
  bench: (args) => [...FROM_SOURCE, "benchmarks/main.ts", ...args],
  compact: (args) => [...FROM_SOURCE, "scripts/compact.ts", ...args],
  endpoint: (args) => [...FROM_SOURCE, "packages/cosmos-emulator/src/cli.ts", ...args],
  test: (args) => ["--disable-warning=ExperimentalWarning", "scripts/check.ts", ...args],
  "test:deep": (args) => [
    "--disable-warning=ExperimentalWarning",
    "scripts/check.ts",
    "--effort",
    "1",
    ...args,
  ],
  build: (args) => ["--disable-warning=ExperimentalWarning", "scripts/tool.ts", "build", ...args],
  pack: (args) => ["--disable-warning=ExperimentalWarning", "scripts/pack.ts", ...args],
  docs: (args) => ["--disable-warning=ExperimentalWarning", "scripts/docs.ts", ...args],
  fix: (args) => ["--disable-warning=ExperimentalWarning", "scripts/tool.ts", "fix", ...args],
};

const HELP = `Usage: npm run COMMAND [-- flags], or npm test

  demo      an order-fulfilment program that is killed in the middle and finishes all the same
  example   one program of the folder examples, such as: npm run example checkout
  test      everything that must hold before a change is merged
  docs      builds the documentation and the API reference as a site in dist/site
  endpoint  the local Cosmos DB endpoint, until Ctrl-C

For developers of this repository: ${developerCommands().join(", ")}.
Each explains itself with --help: npm run demo -- --help.
`;

function developerCommands() {
  return Object.keys(COMMANDS).filter(
    (command) => !["demo", "example", "test", "docs", "endpoint"].includes(command),
  );
}

async function main([command = "--help", ...args]) {
  if (command === "--help" || command === "-h") {
    process.stdout.write(HELP);
    return;
  }
  if (!Object.hasOwn(COMMANDS, command)) {
    console.error(`There is no command "${command}": use one of ${Object.keys(COMMANDS).join(", ")}.`);
    process.exitCode = 2;
    return;
  }
  const node = ensureNode();
  ensureDependencies(node);
  // Whatever the command starts by the name `node` is the same Node.
  const env = {
    // Every process loads the sources without stripping and compiling them again: 0.2 s instead of 0.8 s.
    NODE_COMPILE_CACHE: path.join(root, "node_modules", ".cache", "compile"),
    ...process.env,
    PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ""}`,
  };
  exitLike(await run(node, COMMANDS[command](args), { cwd: root, env }));
}

main(process.argv.slice(2)).catch((error) => {
  if (!(error instanceof Problem)) throw error;
  console.error(error.message);
  process.exitCode = 1;
});
