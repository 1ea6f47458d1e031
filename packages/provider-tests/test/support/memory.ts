/** The provider in memory, with every hook that the kit knows. */
import { MemoryProvider } from "@duroxide-ts/core/testing";
import type { ProviderFactory } from "@duroxide-ts/provider-tests";

export const memory: ProviderFactory = {
  name: "memory",
  capabilities: {
    clock: "virtual",
    polling: "long",
    // No call takes any virtual time, so waits are held to the millisecond.
    responseMs: 0,
    storageCalls: "one",
    historyTags: true,
  },
  async open({ clock }) {
    const provider = new MemoryProvider({ clock });
    return {
      provider,
      corruptHistory: async (instanceId) => provider.corruptHistory(instanceId),
      maxAttemptCount: async (instanceId) => provider.highestAttemptCount(instanceId),
      putUndecodableRow: async (queue, instanceId) => provider.putUndecodableRow(queue, instanceId),
      [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose](),
    };
  },
};
