/** The readable state of an instance, and the contents of the queues: for cases that compare before and after. */
import type {
  ActivityExecute,
  HistoryEvent,
  InstanceStats,
  InstanceStatus,
  OrchestratorItem,
  Tags,
} from "@duroxide-ts/core/stores";
import type { Caller } from "../context.ts";
import { fetchOrchestration, fetchWork } from "../steps.ts";

/** The results of all reads of one instance. */
export interface Observed {
  readonly status: InstanceStatus | undefined;
  readonly histories: readonly (readonly HistoryEvent[])[];
  readonly kv: ReadonlyMap<string, string>;
  readonly stats: InstanceStats | undefined;
  readonly tags: Tags | undefined;
}

/** Changes nothing. */
export async function observe({ provider }: Caller, instanceId: string): Promise<Observed> {
  const status = await provider.getInstanceStatus(instanceId);
  const { instances } = await provider.admin.queryInstances({ filter: { instanceIds: [instanceId] } });
  const executionIds = Array.from({ length: status?.executionId ?? 1 }, (_, index) => index + 1);
  return {
    status,
    histories: await Promise.all(executionIds.map((id) => provider.readHistory(instanceId, id))),
    kv: await provider.getKvValues(instanceId),
    stats: await provider.getInstanceStats(instanceId),
    tags: instances[0]?.tags,
  };
}

/** The eligible rows of both queues. */
export interface Drained {
  /** Messages by instance. */
  readonly messages: ReadonlyMap<string, readonly OrchestratorItem[]>;
  readonly activities: readonly ActivityExecute[];
}

/** Longer than a case takes in real time: what was fetched is not fetched again. */
const LONG_LOCK_MS = 600_000;

/** Locks all eligible rows, of every tag and session, and returns them. For the end of a case. */
export async function drain({ provider }: Caller): Promise<Drained> {
  const caller: Caller = { provider, lockMs: LONG_LOCK_MS };
  const messages = new Map<string, readonly OrchestratorItem[]>();
  for (let next = await fetchOrchestration(caller); next; next = await fetchOrchestration(caller)) {
    messages.set(next.item.instanceId, [
      ...(messages.get(next.item.instanceId) ?? []),
      ...next.item.messages,
    ]);
  }
  const activities: ActivityExecute[] = [];
  const anything = {
    tagFilter: { kind: "any" },
    session: { ownerId: "drain", lockTimeoutMs: caller.lockMs },
  } as const;
  for (let next = await fetchWork(caller, anything); next; next = await fetchWork(caller, anything)) {
    activities.push(next.item);
  }
  return { messages, activities };
}
