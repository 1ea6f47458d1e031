/** Stores that differ for the runtime that uses them. */
import { type Provider, type ProviderAdmin, parseSemver } from "@duroxide-ts/core/stores";

/** The store, whose outcomes and turns are two commits. */
export function withoutFusedTurns(provider: Provider): Provider {
  return over(provider, { maxFusedActivities: 0 });
}

/** The store as a runtime that continues only executions of one other version uses it. */
export function forVersion(provider: Provider, text: string): Provider {
  const version = parseSemver(text);
  if (version === undefined) throw new Error(`not a version: ${text}`);
  const supportedVersions = [{ min: version, max: version }];
  return over(provider, {
    fetchOrchestrationItem: (options) => provider.fetchOrchestrationItem({ ...options, supportedVersions }),
  });
}

/** The store, with something that happens after each change by hand. */
export function afterEachRevision(provider: Provider, happens: () => Promise<void>): Provider {
  return revisedBy(provider, async (revise, revision) => {
    const outcome = await revise(revision);
    await happens();
    return outcome;
  });
}

/** The store, with something that happens before each change by hand is stored. */
export function beforeEachRevision(
  provider: Provider,
  happens: (instanceId: string) => Promise<void>,
): Provider {
  return revisedBy(provider, async (revise, revision) => {
    await happens(revision.instanceId);
    return revise(revision);
  });
}

type Revise = ProviderAdmin["reviseInstance"];

function revisedBy(
  provider: Provider,
  change: (revise: Revise, revision: Parameters<Revise>[0]) => ReturnType<Revise>,
): Provider {
  const { admin } = provider;
  const revise: Revise = (revision) => admin.reviseInstance(revision);
  return over(provider, {
    admin: over(admin, { reviseInstance: (revision) => change(revise, revision) }),
  });
}

/** The object with other members. */
function over<T extends object>(target: T, members: Partial<T>): T {
  return new Proxy(target, {
    get: (_, property) => {
      const value: unknown = Reflect.get(property in members ? members : target, property);
      return typeof value === "function" && !(property in members) ? value.bind(target) : value;
    },
  });
}
