/** A store that has only what the contract demands of its administration. */
import type { Provider, ProviderAdmin } from "@duroxide-ts/core/stores";

const OPTIONAL: ReadonlySet<PropertyKey> = new Set<keyof ProviderAdmin>([
  "queries",
  "reviseInstance",
  "listBlocked",
  "getRunningMetrics",
]);

/** The store without queries, and without changes by hand. */
export function withoutQueries(provider: Provider): Provider {
  const { admin } = provider;
  if (admin === undefined) return provider;
  const plain = new Proxy(admin, {
    get: (target, name) => (OPTIONAL.has(name) ? undefined : bound(target, name)),
  });
  return new Proxy(provider, { get: (target, name) => (name === "admin" ? plain : bound(target, name)) });
}

function bound(target: object, name: PropertyKey): unknown {
  const value: unknown = Reflect.get(target, name, target);
  return typeof value === "function" ? value.bind(target) : value;
}
