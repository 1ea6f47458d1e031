/**
 * Faults for providers whose every operation is one storage call: the call fails before or after its execution.
 * Providers with several calls implement a hook (`TestStore.failStorageCall`).
 */
import { type Provider, type ProviderAdmin, ProviderError } from "@duroxide-ts/core/stores";
import type { ArmedFault } from "./factory.ts";
import { StorageFaults } from "./storage-faults.ts";

/** A provider whose calls can be made to fail, and the hook for it. */
export interface FaultyBoundary {
  readonly provider: Provider;
  failStorageCall(nth: number, when: "before" | "after"): ArmedFault;
}

/** Methods that do not call the store. */
const LOCAL = new Set<PropertyKey>(["watchInstance", "watchStream", Symbol.asyncDispose]);

export function withBoundaryFaults(provider: Provider): FaultyBoundary {
  const faults = new StorageFaults();

  const guarded = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_, property) {
        const member: unknown = Reflect.get(target, property, target);
        if (property === "admin") return guarded(member as ProviderAdmin);
        if (typeof member !== "function") return member;
        if (LOCAL.has(property)) return member.bind(target);
        const lost = (): ProviderError => lostConnection(String(property));
        return (...args: unknown[]) => faults.call(() => member.apply(target, args), lost);
      },
    });

  return { provider: guarded(provider), failStorageCall: faults.failStorageCall };
}

function lostConnection(operation: string): ProviderError {
  return new ProviderError({ code: "unavailable", operation, message: "the connection was lost; try again" });
}
