/** Stores in which something happens around changes by hand. */
import {
  type InstanceInfo,
  type Provider,
  type ProviderAdmin,
  ProviderError,
} from "@duroxide-ts/core/stores";

/** The store, whose outcomes and turns are two commits. */
export function withoutFusedTurns(provider: Provider): Provider {
  return over(provider, { maxFusedActivities: 0 });
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

type Show = (before: InstanceInfo) => InstanceInfo;

/** Shows what a replica shows that lags so far behind that it has no such instance. */
export const noInstance: Show = ({ instanceId }) => {
  throw ProviderError.notFound("getInstanceInfo", instanceId);
};

/**
 * The store, read through a replica that lags behind: after each change by hand, the next read is that before it, or
 * what `show` makes of it.
 */
export function laggingBehind(provider: Provider, show: Show = (before) => before): Provider {
  const { admin } = provider;
  let lagging: InstanceInfo | undefined;
  return over(provider, {
    admin: over(admin, {
      async getInstanceInfo(instanceId) {
        const before = lagging;
        lagging = undefined;
        return before?.instanceId === instanceId ? show(before) : admin.getInstanceInfo(instanceId);
      },
      async reviseInstance(revision) {
        const before = await admin.getInstanceInfo(revision.instanceId);
        const outcome = await admin.reviseInstance(revision);
        lagging = before;
        return outcome;
      },
    }),
  });
}

/** The store, read through a replica that lags behind: at first it shows only the first event of that execution. */
export function hidingEvents(provider: Provider, executionId: number): Provider {
  let readings = 0;
  return over(provider, {
    async readHistory(instanceId, ofExecution) {
      const events = await provider.readHistory(instanceId, ofExecution);
      return ofExecution === executionId && ++readings <= HIDDEN_READINGS ? events.slice(0, 1) : events;
    },
  });
}

/** A verb reads what it needs before its first change, and again for each. */
const HIDDEN_READINGS = 2;
