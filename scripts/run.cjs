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
const QUIET = ["--disable-warning=ExperimentalWarning"];
const FROM_SOURCE = ["--conditions=@duroxide-ts/source", ...QUIET];

/** The command line for Node of each command of package.json; `args` are what the user wrote after `--`. */
const COMMANDS = {
  demo: (args) => [...FROM_SOURCE, "examples/order-fulfilment/demo.ts", ...args],
  example: (args) => [...FROM_SOURCE, "scripts/example.ts", ...args],
  test: (args) => [...QUIET, "scripts/check.ts", ...args],
  docs: (args) => [...QUIET, "scripts/docs.ts", ...args],
  pack: (args) => [...QUIET, "scripts/pack.ts", ...args],
};

/** The same of each `npm run dev -- NAME`. */
const DEVELOPER_COMMANDS = {
  fix: (args) => [...QUIET, "scripts/tool.ts", "fix", ...args],
  build: (args) => [...QUIET, "scripts/tool.ts", "build", ...args],
  "test:deep": (args) => [...QUIET, "scripts/check.ts", "--effort", "1", ...args],
  endpoint: (args) => [...FROM_SOURCE, "packages/cosmos-emulator/src/cli.ts", ...args],
  compact: (args) => [...FROM_SOURCE, "scripts/compact.ts", ...args],
  bench: (args) => [...FROM_SOURCE, "benchmarks/main.ts", ...args],
  stress: (args) => [...FROM_SOURCE, "packages/cli/src/main.ts", "stress", ...args],
  simulate: (args) => [...FROM_SOURCE, "simulation/main.ts", ...args],
  storm: (args) => [...FROM_SOURCE, "packages/cosmos/test/storm/main.ts", ...args],
  "crash-matrix": (args) => [...FROM_SOURCE, "packages/cosmos/test/crash/main.ts", ...args],
  "fleet-costs": (args) => [...FROM_SOURCE, "simulation/fleets/main.ts", ...args],
  "azure-check": (args) => [...FROM_SOURCE, "packages/cosmos/azure-check/main.ts", ...args],
};

const HELP = `Usage: npm run COMMAND [-- flags], or npm test

  demo      an order-fulfilment program that is killed in the middle and finishes all the same
  example   one program of the folder examples, such as: npm run example checkout
  docs      builds the documentation and the API reference as a site in dist/site
  pack      makes a file of each package, which npm installs
  test      everything that must hold before a change is merged
  dev       the commands of developers: npm run dev

Each explains itself with --help: npm run demo -- --help.
`;

const DEVELOPER_HELP = `Usage: npm run dev -- COMMAND [flags]

  fix           formats, sorts imports, applies safe fixes of the linter
  build         dist of every package; tests and examples do not need it
  test:deep     npm test with every random case
  endpoint      the local Cosmos DB endpoint, until Ctrl-C
  compact       SQLite: a file gives back the room of what was deleted
  bench         the benchmarks
  stress        two loads on a store, with their invariants checked
  simulate      whole clusters in virtual time, each from a seed
  storm         programs in processes that die or stand still
  crash-matrix  Cosmos DB: a process dies at each request of each operation
  fleet-costs   Cosmos DB: what a fleet costs, in virtual time
  azure-check   Cosmos DB: whether an account does what the provider relies on

Each explains itself with --help: npm run dev -- storm --help.
`;

function main(args) {
  return args[0] === "dev"
    ? start(args.slice(1), DEVELOPER_COMMANDS, DEVELOPER_HELP)
    : start(args, COMMANDS, HELP);
}

async function start([command = "--help", ...args], commands, help) {
  if (command === "--help" || command === "-h") {
    process.stdout.write(help);
    return;
  }
  if (!Object.hasOwn(commands, command)) {
    console.error(`There is no command "${command}": use one of ${Object.keys(commands).join(", ")}.`);
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
  exitLike(await run(node, commands[command](args), { cwd: root, env }));
}

main(process.argv.slice(2)).catch((error) => {
  if (!(error instanceof Problem)) throw error;
  console.error(error.message);
  process.exitCode = 1;
});
