/**
 * The provider: connects methods with their files. It has no other logic than that of closing.
 *
 * - provider.PR1: `close` waits for the calls under way, at most 5 s, and refuses later ones. A commit that is cut off would leave
 *   its intents to the reconciler of another process.
 */
import {
  type AbandonOptions,
  type AckedOrchestration,
  type ActivityExecute,
  type ActivityId,
  type ActivityOutcome,
  type EnqueueOptions,
  type EnqueueOutcome,
  type FetchedOrchestration,
  type FetchedWork,
  type FetchOrchestrationOptions,
  type FetchWorkOptions,
  type FusedAck,
  type FusedOutcome,
  type HistoryEvent,
  type InstanceStats,
  type InstanceStatus,
  type OrchestrationAck,
  type OrchestratorItem,
  outside,
  type Provider,
  ProviderError,
  type ProviderLimits,
  type RenewOptions,
  type RenewSessionsOptions,
  type StartInstanceOptions,
  type StartOutcome,
  sleep,
  toInstanceId,
  toInstanceIds,
  type WorkItemOf,
} from "@duroxide-ts/core/stores";
import { type CosmosAdmin, cosmosAdmin } from "./admin/admin.ts";
import { finishListed } from "./admin/deletion.ts";
import { finishPruning } from "./admin/prune-executions.ts";
import { withEnvironment } from "./connection/environment.ts";
import type { Intercept } from "./connection/http-client.ts";
import { type Opened, openContainer } from "./connection/open-container.ts";
import { invalidOption } from "./connection/option-checks.ts";
import { type CosmosProviderOptions, type Settings, toSettings } from "./connection/options.ts";
import { Reconciler } from "./delivering/reconciler.ts";
import { removeIntents } from "./delivering/remove-intents.ts";
import { alone, type Members } from "./fetching/membership/members.ts";
import { Membership } from "./fetching/membership/membership.ts";
import { Searches } from "./fetching/searches.ts";
import { DeliveredIntents } from "./memory/delivered-intents.ts";
import { Memory } from "./memory/memory.ts";
import { type Parts, Work } from "./memory/parts.ts";
import { BEST_EFFORT_MS } from "./memory/waits.ts";
import { abandonOrchestrationItem } from "./operations/abandon-orchestration-item.ts";
import { abandonWorkItem } from "./operations/abandon-work-item.ts";
import { ackFusedTurn } from "./operations/ack-fused-turn.ts";
import { ackOrchestrationItem } from "./operations/ack-orchestration-item.ts";
import { ackWorkItem } from "./operations/ack-work-item.ts";
import { appendHistory } from "./operations/append-history.ts";
import { changedInstances } from "./operations/changed-instances.ts";
import { cleanupOrphanedSessions } from "./operations/cleanup-orphaned-sessions.ts";
import { enqueueForOrchestrator } from "./operations/enqueue-for-orchestrator.ts";
import { enqueueForWorker } from "./operations/enqueue-for-worker.ts";
import { OrchestrationFetches } from "./operations/fetch-orchestration-item.ts";
import { WorkFetches } from "./operations/fetch-work-item.ts";
import { getInstanceStats } from "./operations/get-instance-stats.ts";
import { getInstanceStatus } from "./operations/get-instance-status.ts";
import { getKvValues } from "./operations/get-kv.ts";
import { hasBegun } from "./operations/has-begun.ts";
import { readHistory } from "./operations/read-history.ts";
import { listLimits, readLimit } from "./operations/read-limits.ts";
import { renewOrchestrationItemLock } from "./operations/renew-orchestration-item-lock.ts";
import { renewSessionLocks } from "./operations/renew-session-locks.ts";
import { renewWorkItemLock } from "./operations/renew-work-item-lock.ts";
import { reviseInstance } from "./operations/revise-instance.ts";
import { setLimit } from "./operations/set-limit.ts";
import { startInstance } from "./operations/start-instance.ts";
import { StreamMethods } from "./operations/streams.ts";
import type { RequestInfo } from "./service/call.ts";
import { Service } from "./service/service.ts";

/** A service that does not answer must not keep a process from ending. */
const CLOSING_MS = 5_000;

/** The store in one Cosmos DB container, shared by any number of processes. Created by `CosmosProvider.connect`. */
export class CosmosProvider extends StreamMethods implements Provider {
  readonly name = "cosmos";
  /** Account, database and container. */
  readonly title: string;
  readonly version = "0.1.0";
  /** Largest number with which the commit fits into a batch, with the same number of new activities. */
  readonly maxFusedActivities = 24;
  readonly admin: CosmosAdmin;
  readonly limits: ProviderLimits;
  #requestUnits = 0;
  readonly #parts: Parts;
  readonly #searches: Searches;
  readonly #opened: Opened;
  readonly #reconciler: Reconciler;
  readonly #members: Members;
  readonly #orchestrations: OrchestrationFetches;
  readonly #work: WorkFetches;
  #closing: Promise<void> | undefined;
  /** Calls in flight (provider.PR1). */
  readonly #underWay = new Set<Promise<unknown>>();

  private constructor(opened: Opened, settings: Settings | undefined) {
    if (settings === undefined) throw invalidOption("open it with await CosmosProvider.connect(options)");
    super();
    this.title = titleOf(settings);
    this.#opened = opened;
    const { container, hasDueOrder, hasBlockedIndex } = opened;
    const onRequest = (info: RequestInfo): void => {
      this.#requestUnits += info.charge;
      settings.onRequest(info);
    };
    const service = new Service(container, { ...settings, onRequest, hasDueOrder, hasBlockedIndex });
    const { reconcilerIntervalMs: intervalMs, reconcilerAgeMs: ageMs } = settings;
    const { clock } = service;
    const delivered = new DeliveredIntents(clock, ageMs, (source, ids) =>
      removeIntents(new Work(this.#parts, "deliver", BEST_EFFORT_MS), source, ids),
    );
    const parts: Parts = { service, clock, memory: new Memory(clock, () => service.lockSecret(), delivered) };
    this.#parts = parts;
    this.#members = toMembers(service, settings);
    const { pollIntervalMs } = settings;
    this.#searches = new Searches(parts, { members: this.#members, pollIntervalMs });
    this.admin = cosmosAdmin(parts, (operation, call) => this.#run(operation, call), {
      revise: (revision) => reviseInstance(parts, revision),
      onFreed: () => this.#searches.idlePoll.resume(),
    });
    this.limits = {
      setLimit: (key, change) => this.#run("setLimit", () => setLimit(parts, key, change)),
      listLimits: () => this.#run("listLimits", () => listLimits(parts)),
      readLimit: (key) => this.#run("readLimit", () => readLimit(parts, key)),
      get mayHoldWork() {
        return parts.memory.activities.mayHaveRanked;
      },
    };
    this.#orchestrations = new OrchestrationFetches(parts, this.#searches);
    this.#work = new WorkFetches(parts, this.#searches);
    this.#reconciler = new Reconciler(parts, this.#searches, {
      intervalMs,
      ageMs,
      finish: { deletion: finishListed, pruning: finishPruning },
    });
    this.#reconciler.start();
  }

  /**
   * Connects to a container, and creates it with its database if it is missing. Rejects with `cannot-open` or
   * `invalid-input`.
   *
   * @example
   * ```ts
   * await using provider = await CosmosProvider.connect({
   *   endpoint: "https://my-account.documents.azure.com",
   *   credential: new DefaultAzureCredential(), // of @azure/identity
   *   database: "orders",
   *   container: "duroxide",
   * });
   * ```
   */
  static async connect(options: CosmosProviderOptions): Promise<CosmosProvider> {
    return CosmosProvider.#open(options);
  }

  /** Connects with the environment variables of docs/cosmos/set-up.md, such as `COSMOSDB_ENDPOINT`. */
  static async fromEnvironment(
    environment: Readonly<Record<string, string | undefined>> = process.env,
    options: CosmosProviderOptions = {},
  ): Promise<CosmosProvider> {
    return CosmosProvider.#open(withEnvironment(environment, options));
  }

  /**
   * The same, with every request passing through a function that may lose, delay or refuse it: for tests of the
   * provider.
   *
   * @internal
   */
  static async connectThrough(options: CosmosProviderOptions, intercept: Intercept): Promise<CosmosProvider> {
    return CosmosProvider.#open(options, intercept);
  }

  static async #open(options: CosmosProviderOptions, intercept?: Intercept): Promise<CosmosProvider> {
    const settings = toSettings(options);
    const opened = await openContainer(settings, intercept);
    for (const { message, ...fields } of opened.warnings) settings.onWarning(message, fields);
    for (const message of opened.advice) settings.onAdvice(message);
    // It works for as long as the process, and not for the request in which it was opened.
    return outside(() => new CosmosProvider(opened, settings));
  }

  async fetchOrchestrationItem(
    options: FetchOrchestrationOptions,
  ): Promise<FetchedOrchestration | undefined> {
    return this.#run("fetchOrchestrationItem", () =>
      this.#searches.serve(() => this.#orchestrations.fetch(options)),
    );
  }

  async ackOrchestrationItem(ack: OrchestrationAck): Promise<AckedOrchestration> {
    return this.#run("ackOrchestrationItem", () => ackOrchestrationItem(this.#parts, ack));
  }

  async abandonOrchestrationItem(lockToken: string, options?: AbandonOptions): Promise<void> {
    return this.#run("abandonOrchestrationItem", () =>
      abandonOrchestrationItem(this.#parts, lockToken, options),
    );
  }

  async renewOrchestrationItemLock(
    lockToken: string,
    extendMs: number,
    options?: RenewOptions,
  ): Promise<void> {
    return this.#run("renewOrchestrationItemLock", () =>
      renewOrchestrationItemLock(this.#parts, lockToken, extendMs, options),
    );
  }

  async readHistory(instanceId: string, executionId?: number): Promise<readonly HistoryEvent[]> {
    return this.#runFor("readHistory", instanceId, (id) => readHistory(this.#parts, id, executionId));
  }

  async appendHistory(
    instanceId: string,
    executionId: number,
    events: readonly HistoryEvent[],
  ): Promise<void> {
    return this.#runFor("appendHistory", instanceId, (id) =>
      appendHistory(this.#parts, id, executionId, events),
    );
  }

  async enqueueForWorker(item: ActivityExecute): Promise<void> {
    return this.#run("enqueueForWorker", () => enqueueForWorker(this.#parts, item));
  }

  async enqueueForOrchestrator(
    item: OrchestratorItem,
    delayMs?: number,
    options?: EnqueueOptions,
  ): Promise<EnqueueOutcome> {
    return this.#run("enqueueForOrchestrator", () =>
      enqueueForOrchestrator(this.#parts, item, delayMs, options),
    );
  }

  async startInstance(
    start: WorkItemOf<"StartOrchestration">,
    options: StartInstanceOptions,
  ): Promise<StartOutcome> {
    return this.#run("startInstance", () => startInstance(this.#parts, start, options));
  }

  async fetchWorkItem(options: FetchWorkOptions): Promise<FetchedWork | undefined> {
    return this.#run("fetchWorkItem", () => this.#searches.serve(() => this.#work.fetch(options)));
  }

  async ackWorkItem(lockToken: string, outcome?: ActivityOutcome): Promise<void> {
    return this.#run("ackWorkItem", () => ackWorkItem(this.#parts, lockToken, outcome));
  }

  async ackFusedTurn(ack: FusedAck): Promise<FusedOutcome> {
    return this.#run("ackFusedTurn", () => ackFusedTurn(this.#parts, ack));
  }

  async renewWorkItemLock(lockToken: string, extendMs: number, options?: RenewOptions): Promise<void> {
    return this.#run("renewWorkItemLock", () => renewWorkItemLock(this.#parts, lockToken, extendMs, options));
  }

  async abandonWorkItem(lockToken: string, options?: AbandonOptions): Promise<void> {
    return this.#run("abandonWorkItem", () => abandonWorkItem(this.#parts, lockToken, options));
  }

  async renewSessionLocks(options: RenewSessionsOptions): Promise<number> {
    return this.#run("renewSessionLocks", () => renewSessionLocks(this.#parts, options));
  }

  async cleanupOrphanedSessions(): Promise<number> {
    return this.#run("cleanupOrphanedSessions", () =>
      cleanupOrphanedSessions(this.#parts, this.#members.peerGroup()),
    );
  }

  async getInstanceStatus(instanceId: string): Promise<InstanceStatus | undefined> {
    return this.#runFor("getInstanceStatus", instanceId, (id) => getInstanceStatus(this.#parts, id));
  }

  async getKvValues(instanceId: string, key?: string): Promise<ReadonlyMap<string, string>> {
    return this.#runFor("getKvValues", instanceId, (id) => getKvValues(this.#parts, id, key));
  }

  async getInstanceStats(instanceId: string): Promise<InstanceStats | undefined> {
    return this.#runFor("getInstanceStats", instanceId, (id) => getInstanceStats(this.#parts, id));
  }

  async hasBegun(activity: ActivityId): Promise<boolean> {
    return this.#runFor("hasBegun", activity.instanceId, (id) => hasBegun(this.#parts, id, activity));
  }

  async changedInstances(
    instanceIds: readonly string[],
    sinceMs: number,
  ): Promise<ReadonlyMap<string, string>> {
    return this.#run("changedInstances", () =>
      changedInstances(this.#parts, toInstanceIds("changedInstances", instanceIds), sinceMs),
    );
  }

  watchInstance(instanceId: string, listener: () => void): () => void {
    return this.#parts.memory.watchers.add(instanceId, listener);
  }

  /** @internal */
  protected get parts(): Parts {
    return this.#parts;
  }

  /** @internal */
  protected call<T>(operation: string, act: (parts: Parts) => Promise<T>): Promise<T> {
    return this.#run(operation, () => act(this.#parts));
  }

  get requestUnits(): number {
    return this.#requestUnits;
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /**
   * Ends waiting fetches, waits for calls in flight, but at most 5 s, and closes the connections. `await using` does the
   * same.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** The same as `close`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The id as the service stores it: a text without lone surrogates. */
  #runFor<T>(operation: string, instanceId: string, call: (id: string) => Promise<T>): Promise<T> {
    return this.#run(operation, () => call(toInstanceId(operation, instanceId).toWellFormed()));
  }

  async #run<T>(operation: string, call: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) {
      const message = "the provider was closed; open another one";
      throw new ProviderError({ code: "closed", operation, message });
    }
    const running = call();
    this.#underWay.add(running);
    try {
      return await running;
    } finally {
      this.#underWay.delete(running);
    }
  }

  async #close(): Promise<void> {
    this.#searches.close();
    const done = new AbortController();
    const ended = this.#endWork().finally(() => done.abort());
    await Promise.race([ended, sleep(this.#parts.clock, CLOSING_MS, done.signal)]);
    this.#parts.service.endRetries();
    await this.#opened[Symbol.asyncDispose]();
  }

  async #endWork(): Promise<void> {
    await Promise.all([this.#members.close(), this.#reconciler.close()]);
    await Promise.allSettled(this.#underWay);
    await Promise.all([this.#parts.memory.delivered.close(), this.#work.close()]);
  }
}

function toMembers(service: Service, { membership, clock, random, onWarning }: Settings): Members {
  if (membership === false) return alone;
  return new Membership({ requests: service, clock, random, onWarning, ...membership });
}

function titleOf({ endpoint, database, container }: Settings): string {
  const account = endpoint.host.replace(/\.documents\.azure\.com$/, "");
  return `${account}/${database}/${container}`;
}
