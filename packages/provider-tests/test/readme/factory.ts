// #region factory
import { MemoryProvider } from "@duroxide-ts/core/testing";
import type { ProviderFactory } from "@duroxide-ts/provider-tests";

export const myStore: ProviderFactory = {
  name: "my store",
  capabilities: { clock: "virtual", polling: "long", storageCalls: "one" },
  async open({ clock }) {
    const provider = new MemoryProvider({ clock }); // a fresh store that shares nothing with any other
    return { provider, [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() };
  },
};
// #endregion
