/** The stores of the stress scenarios. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import type { ProviderFactory } from "@duroxide-ts/provider-tests";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { holdContainer } from "./cosmos/hold-container.ts";

const capabilities = { clock: "system", polling: "long", storageCalls: "one" } as const;

export const FACTORIES: Readonly<Record<"sqlite" | "memory" | "cosmos", ProviderFactory>> = {
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
