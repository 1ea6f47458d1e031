/** The provider on SQLite, in memory: a second store that the kit itself is tried on. */
import type { ProviderFactory } from "@duroxide-ts/provider-tests";
import { SqliteProvider } from "@duroxide-ts/sqlite";

export const sqlite: ProviderFactory = {
  name: "sqlite",
  capabilities: { clock: "virtual", polling: "long", storageCalls: "one", historyTags: true },
  async open({ clock }) {
    const provider = await SqliteProvider.open(":memory:", { clock });
    return { provider, [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() };
  },
};
