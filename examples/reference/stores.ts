/** Measurements for the author of a store, and blocks with which cases of one's own are written. */
import { mkdir } from "node:fs/promises";
import type { Provider } from "@duroxide-ts/core";
import { fileBlobStore } from "@duroxide-ts/core/offload";
import {
  checkTagFilter,
  missingOrchestration,
  type NamedInstance,
  type OnWarning,
  Watchers,
} from "@duroxide-ts/core/stores";
import { SeededRandom } from "@duroxide-ts/core/testing";
import {
  type CaseContext,
  checkAgainstModel,
  describeResult,
  type ProviderCase,
  type ProviderFactory,
  runCase,
  type StressResult,
  scriptScope,
  stressParallelOrchestrations,
} from "@duroxide-ts/provider-tests";
import { mustFetch, passLock, raised, staggered } from "@duroxide-ts/provider-tests/building-blocks";

export async function measure(provider: Provider): Promise<StressResult> {
  const result = await stressParallelOrchestrations(provider, {
    tasks: 3,
    durationMs: 10_000,
    activityDelayMs: 5,
    orchestrationConcurrency: 4,
    workerConcurrency: 4,
    waitTimeoutMs: 60_000,
  });
  console.log(describeResult(result));
  return result;
}

export function row({
  provider,
  scenario,
  configuration,
  completed,
  failed,
  failures,
  ...rest
}: StressResult) {
  const { successRate, totalMs, msPerOrchestration } = rest;
  return [
    provider,
    scenario,
    configuration,
    completed,
    failed,
    failures,
    successRate,
    totalMs,
    msPerOrchestration,
  ];
}

export async function checkAll(factory: ProviderFactory, cases: readonly ProviderCase[]): Promise<void> {
  for (const each of cases) {
    const outcome = await runCase(each, factory);
    console.log(each.name, outcome.kind === "passed" ? `${outcome.checks} checks` : outcome.reason);
  }
  await checkAgainstModel(factory, { runs: 20, maxCommands: 40 });
}

/** A case of one's own: the lock of a dead worker ends, and messages come one after another. */
export async function lockEnds(context: CaseContext): Promise<void> {
  const { provider, admin, capabilities, check } = context;
  const raise = () => provider.enqueueForOrchestrator(raised("a", "approved"));
  await staggered(context, 3, 10, raise);
  await mustFetch(context);
  if (capabilities.lockMs !== undefined) console.log(`locks end after ${capabilities.lockMs} ms`);
  await passLock(context);
  await mustFetch(context);
  check.equal((await admin.queryInstances({})).instances.length, 1, "the instances");
}

/** A script as the model prints it when a store does something else. */
export async function keptScript(context: CaseContext): Promise<void> {
  const { one, two, now, pass, refused, startItem } = await scriptScope(context);
  await one.enqueueForOrchestrator(startItem("a"));
  await pass(1_000);
  const code = await refused(two.ackWorkItem("no such token", undefined));
  console.log(`${code} at ${now()}`);
}

/** The part of a store that tells who waits. A store that cannot tell what changed wakes all. */
export function wakesAll(clock: ConstructorParameters<typeof Watchers>[0]): Pick<Provider, "watchInstance"> {
  const watchers = new Watchers(clock);
  setInterval(() => watchers.notifyAll(), 1_000).unref();
  return { watchInstance: (instanceId, listener) => watchers.add(instanceId, listener) };
}

/** Whether a process that knows one orchestration may take the messages of an instance. */
export function mayTake(messages: Parameters<typeof missingOrchestration>[2]): boolean {
  const instance: NamedInstance = { orchestration: { name: "checkout", version: "1.0.0" }, hasEnded: false };
  return missingOrchestration({ orchestrations: new Set(["checkout"]) }, instance, messages) === undefined;
}

/** Function that a store calls after trouble that does not stop it. */
export const onWarning: OnWarning = (message, { instanceId = "the store" } = {}) =>
  console.warn(`${instanceId}: ${message}`);

/** A fetch refuses a filter that is none, before it looks for work. */
export function refuseFilter(filter: unknown): void {
  checkTagFilter("fetchWorkItem", filter as Parameters<typeof checkTagFilter>[1]);
}

/** Blobs under names from a seed, so that a test finds them again. */
export async function blobs(folder: string) {
  await mkdir(folder, { recursive: true });
  return fileBlobStore(folder, { random: new SeededRandom("1") });
}
