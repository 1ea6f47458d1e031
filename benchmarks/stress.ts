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
import { holdContainer } from "./cosmos/hold-container.ts";

const capabilities = { clock: "system", polling: "long", storageCalls: "one" } as const;

const FACTORIES: Readonly<Record<string, ProviderFactory>> = {
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

const args = process.argv.slice(2);
const at = args.indexOf("--provider");
const [, name = "sqlite"] = at < 0 ? [] : args.splice(at, 2);
const factory = FACTORIES[name];
if (factory === undefined) {
  console.error(`unknown provider "${name}"; there are ${Object.keys(FACTORIES).join(", ")}`);
  process.exit(2);
}
process.exitCode = await stressFromFlags(factory, args).catch((error: unknown) => {
  if (!(error instanceof TypeError)) throw error;
  console.error(error.message);
  return 2;
});
