/** The provider in memory without what a simpler store lacks: it polls short and has no optional method. */
import type { Provider } from "@duroxide-ts/core";
import type { ProviderFactory } from "@duroxide-ts/provider-tests";
import { memory } from "./memory.ts";

const FETCHES: ReadonlySet<PropertyKey> = new Set(["fetchOrchestrationItem", "fetchWorkItem"]);

const LACKS: ReadonlySet<PropertyKey> = new Set(["watchInstance", "changedInstances"]);

export const shortPolling: ProviderFactory = {
  name: "short polling",
  capabilities: { clock: "virtual", polling: "short", storageCalls: "one" },
  async open(options) {
    const store = await memory.open(options);
    return { ...store, provider: simpler(store.provider) };
  },
};

function simpler<T extends object>(provider: T): T {
  return new Proxy(provider, {
    get(target, property) {
      const member: unknown = LACKS.has(property) ? undefined : Reflect.get(target, property, target);
      if (property === "admin") return simpler(member as Provider["admin"]);
      if (typeof member !== "function") return member;
      if (!FETCHES.has(property)) return member.bind(target);
      return (fetch: { readonly pollTimeoutMs: number }) =>
        member.call(target, fetch.pollTimeoutMs > 0 ? { ...fetch, pollTimeoutMs: 0 } : fetch);
    },
  });
}
