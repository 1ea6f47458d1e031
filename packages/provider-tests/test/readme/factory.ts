// #region factory
import type { ProviderFactory } from "@duroxide-ts/provider-tests";
import { ExampleProvider } from "../../example/provider.ts";

export const myStore: ProviderFactory = {
  name: "my store",
  capabilities: { clock: "virtual", polling: "short", storageCalls: "one" },
  async open({ clock }) {
    const provider = new ExampleProvider({ clock }); // a fresh store that shares nothing with any other
    return { provider, [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() };
  },
};
// #endregion
