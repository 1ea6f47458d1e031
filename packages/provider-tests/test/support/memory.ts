/** The provider in memory, with every hook that the kit knows. */
import { MemoryProvider } from "@duroxide-ts/core/testing";
import type { ProviderFactory } from "@duroxide-ts/provider-tests";

/** Stores of this class, which is `MemoryProvider` or a mutant of it. */
export function memoryFactory(name: string, Provider: typeof MemoryProvider): ProviderFactory {
  return {
    name,
    capabilities: {
      clock: "virtual",
      polling: "long",
      // No call takes any virtual time, so waits are held to the millisecond.
      responseMs: 0,
      storageCalls: "one",
      historyTags: true,
    },
    async open({ clock }) {
      const provider = new Provider({ clock });
      return {
        provider,
        corruptHistory: async (instanceId) => provider.corruptHistory(instanceId),
        maxAttemptCount: async (instanceId) => provider.highestAttemptCount(instanceId),
        putUndecodableRow: async (queue, instanceId) => provider.putUndecodableRow(queue, instanceId),
        [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose](),
      };
    },
  };
}

export const memory: ProviderFactory = memoryFactory("memory", MemoryProvider);
