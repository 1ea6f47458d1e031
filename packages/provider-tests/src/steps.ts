/** The steps of most cases: fetch, acknowledge, create an instance. They are not counted as assertions. */
import type {
  AckedOrchestration,
  FetchedOrchestration,
  FetchedWork,
  FetchOrchestrationOptions,
  FetchWorkOptions,
  OrchestrationAck,
} from "@duroxide-ts/core/stores";
import type { Caller, CaseContext } from "./context.ts";
import { continueItem, NAMED, raised, started, startItem, turnOf } from "./messages.ts";

/** Returns a value that the set-up of a case needs; assertions about its subject use `check.present`. */
export function given<T>(value: T | undefined, what: string): T {
  if (value !== undefined) return value;
  throw new Error(`the case cannot begin: ${what}`);
}

/** A fetch with the default lease that does not wait. */
export function fetchOrchestration(
  { provider, lockMs }: Caller,
  more: Partial<FetchOrchestrationOptions> = {},
): Promise<FetchedOrchestration | undefined> {
  return provider.fetchOrchestrationItem({ lockTimeoutMs: lockMs, pollTimeoutMs: 0, ...more });
}

/** A fetch with the default lease, no session and the default tag filter that does not wait. */
export function fetchWork(
  { provider, lockMs }: Caller,
  more: Partial<FetchWorkOptions> = {},
): Promise<FetchedWork | undefined> {
  const tagFilter = { kind: "default-only" } as const;
  return provider.fetchWorkItem({ lockTimeoutMs: lockMs, pollTimeoutMs: 0, tagFilter, ...more });
}

/** Lets time pass until every lock with the default lease has expired. */
export function passLock({ time, lockMs }: Pick<CaseContext, "time" | "lockMs">): Promise<void> {
  return time.pass(lockMs + 100);
}

/** Begins `count` calls, `gapMs` apart, without waiting for one before the next. */
export async function staggered<T>(
  { time }: Pick<CaseContext, "time">,
  count: number,
  gapMs: number,
  call: () => Promise<T>,
): Promise<readonly T[]> {
  const calls: Promise<T>[] = [];
  for (let begun = 0; begun < count; begun++) {
    if (begun > 0) await time.pass(gapMs);
    calls.push(call());
  }
  return Promise.all(calls);
}

/** A fetch with the default lease that must find something. */
export async function mustFetch(
  caller: Caller,
  more: Partial<FetchOrchestrationOptions> = {},
): Promise<FetchedOrchestration> {
  return given(await fetchOrchestration(caller, more), "no orchestration to fetch");
}

/** A fetch of an activity with the default lease that must find something. */
export async function mustFetchWork(
  caller: Caller,
  more: Partial<FetchWorkOptions> = {},
): Promise<FetchedWork> {
  return given(await fetchWork(caller, more), "no activity to fetch");
}

/** Acknowledges with only the given changes. */
export function ack(
  { provider }: Caller,
  fetched: FetchedOrchestration,
  more: Partial<OrchestrationAck> = {},
): Promise<AckedOrchestration> {
  return provider.ackOrchestrationItem(turnOf(fetched, more));
}

/** The changes of an instance's first turn, in addition to its start. */
export interface NewInstance extends Partial<OrchestrationAck> {
  readonly version?: string;
  readonly parentInstanceId?: string;
}

/** Commits the first turn of an instance; it is Running afterwards, unless the metadata say otherwise. */
export function firstTurn(
  caller: Caller,
  fetched: FetchedOrchestration,
  { version = "1.0.0", parentInstanceId, historyDelta = [], metadata, ...more }: NewInstance = {},
): Promise<AckedOrchestration> {
  return ack(caller, fetched, {
    historyDelta: [started(fetched.item.instanceId), ...historyDelta],
    metadata: {
      ...NAMED,
      orchestrationVersion: version,
      ...(parentInstanceId === undefined ? undefined : { parentInstanceId }),
      ...metadata,
    },
    ...more,
  });
}

/** Starts an instance and commits its first turn. */
export async function createInstance(
  caller: Caller,
  instance: string,
  more: NewInstance = {},
): Promise<AckedOrchestration> {
  await caller.provider.enqueueForOrchestrator(startItem(instance));
  return firstTurn(caller, await mustFetch(caller), more);
}

/** One more turn of an existing instance, set off by an event. */
export async function turn(
  caller: Caller,
  instance: string,
  more: Partial<OrchestrationAck> = {},
): Promise<FetchedOrchestration> {
  await caller.provider.enqueueForOrchestrator(raised(instance, "poke"));
  const fetched = await mustFetch(caller);
  await ack(caller, fetched, more);
  return fetched;
}

/** A turn that completes the current execution. */
export async function complete(
  caller: Caller,
  instance: string,
  status: "Completed" | "Failed" = "Completed",
): Promise<void> {
  await turn(caller, instance, { metadata: { status, output: "{}" } });
}

/** Ends the current execution and begins the next one with its OrchestrationStarted and `more`. */
export async function continueAsNew(
  caller: Caller,
  instance: string,
  nextExecution: number,
  more: Partial<OrchestrationAck> = {},
): Promise<void> {
  await turn(caller, instance, {
    metadata: { status: "ContinuedAsNew", output: "{}" },
    orchestratorItems: [continueItem(instance)],
  });
  await ack(caller, await mustFetch(caller), {
    executionId: nextExecution,
    historyDelta: [started(instance, nextExecution)],
    ...more,
  });
}

/** The custom status; `undefined` where the caller has seen its version, as of Rust's `get_custom_status`. */
export async function customStatusOf(
  { provider }: Pick<Caller, "provider">,
  instanceId: string,
  seenVersion: number,
): Promise<{ readonly status: string | null; readonly version: number } | undefined> {
  const { customStatus: status = null, customStatusVersion: version = 0 } =
    (await provider.getInstanceStatus(instanceId)) ?? {};
  return version > seenVersion ? { status, version } : undefined;
}
