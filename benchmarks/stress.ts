/**
 * `npm run stress -- [--provider sqlite|memory|cosmos] [--scenario parallel|large|all] [--seconds 10] …`: the stress scenarios
 * of the validation kit on our own stores; the flags are those of `stressFromFlags`. The exit code says whether
 * everything completed and nothing was lost, doubled or left over.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { type ProviderFactory, stressFromFlags } from "@duroxide-ts/provider-tests";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { CommandLine } from "../scripts/command-line.ts";
import { holdContainer } from "./cosmos/hold-container.ts";

const capabilities = { clock: "system", polling: "long", storageCalls: "one" } as const;

const STORE_NAMES = ["sqlite", "memory", "cosmos"] as const;

const FACTORIES: Readonly<Record<(typeof STORE_NAMES)[number], ProviderFactory>> = {
  /** A file of its own, with full durability. */
  sqlite: {
    name: "sqlite",
    capabilities,
    async open({ clock, storeId }) {
      const folder = await mkdtemp(join(tmpdir(), `duroxide-${storeId}-`));
      const provider = await SqliteProvider.open(join(folder, "stress.db"), { clock });
      return {
        provider,
        async [Symbol.asyncDispose]() {
          await provider[Symbol.asyncDispose]();
          await rm(folder, { recursive: true, force: true });
        },
      };
    },
  },
  memory: {
    name: "memory",
    capabilities,
    async open({ clock }) {
      const provider = new MemoryProvider({ clock });
      return { provider, [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() };
    },
  },
  /** A container of its own: on the local endpoint, or on the account that the environment names. */
  cosmos: {
    name: "cosmos",
    capabilities: { ...capabilities, storageCalls: "several" },
    open: () => holdContainer({}),
  },
};

const text = { type: "string" } as const;
const line = CommandLine.read({
  call: "npm run stress",
  help: ` [-- flags]

Two loads on a fresh store, each with its invariants checked: nothing lost, doubled or left over.

  --provider NAME                sqlite (default), memory or cosmos
  --scenario NAME                parallel, large or all (default)
  --seconds N                    how long orchestrations are started for (10)
  --orchestrations N             how many are started instead, at most
  --max-concurrent N             how many at the same time
  --tasks N                      activities of each
  --activity-delay-ms N          how long an activity takes
  --orchestration-concurrency N  of the runtime
  --worker-concurrency N         of the runtime
  --wait-timeout-ms N            how long the end of one is waited for
`,
  flags: {
    provider: { type: "string", default: "sqlite" },
    scenario: text,
    seconds: text,
    orchestrations: text,
    "max-concurrent": text,
    tasks: text,
    "activity-delay-ms": text,
    "orchestration-concurrency": text,
    "worker-concurrency": text,
    "wait-timeout-ms": text,
  },
});
const factory = FACTORIES[line.choice("provider", STORE_NAMES)];
const { provider: _, ...flags } = line.values;
const args = Object.entries(flags).flatMap(([flag, value]) =>
  value === undefined ? [] : [`--${flag}=${value}`],
);
process.exitCode = await stressFromFlags(factory, args).catch((error: unknown) => {
  if (error instanceof TypeError) return line.refuse(error.message);
  throw error;
});
