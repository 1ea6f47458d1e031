/**
 * A provider that keeps all data in memory: for tests, and the example for authors of providers. It implements all of
 * docs/reference/provider-contract.md; its data is lost with the process.
 *
 * This file connects the methods with their operations, one file each. Operations are synchronous, therefore atomic,
 * and after each one that may have made work eligible the waiting fetches search again.
 */
import type { ProviderAdmin } from "../../contract/admin.ts";
import { type Clock, type Random, systemClock, systemRandom } from "../../contract/clock.ts";
import type { ProviderLimits } from "../../contract/limits.ts";
import type { ProgressReport, StoredProgress } from "../../contract/progress.ts";
import type {
  AbandonOptions,
  AckedOrchestration,
  ActivityId,
  EnqueueOptions,
  EnqueueOutcome,
  FetchedOrchestration,
  FetchedWork,
  FetchOrchestrationOptions,
  FetchWorkOptions,
  FusedAck,
  FusedOutcome,
  InstanceStats,
  InstanceStatus,
  OrchestrationAck,
  Provider,
  RenewOptions,
  RenewSessionsOptions,
  StartInstanceOptions,
  StartOutcome,
  TurnContent,
} from "../../contract/provider.ts";
import { ProviderError } from "../../contract/provider-error.ts";
import {
  type AppendOutcome,
  type StreamAppend,
  type StreamInfo,
  type StreamPage,
  type StreamRead,
  streamKey,
} from "../../contract/streams.ts";
import { stderrLogger } from "../../define/stderr-logger.ts";
import { checkOptions, type OptionList, optionList } from "../../options/option-list.ts";
import {
  checkAppend,
  checkKey,
  checkProgress,
  checkStreamRead,
  toInstanceId,
  toInstanceIds,
} from "../../stores/arguments.ts";
import { checkFetchOrchestration, checkFetchWork } from "../../stores/fetch-arguments.ts";
import { toWarnings } from "../../stores/warnings.ts";
import { Watchers } from "../../stores/watchers.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import type { ActivityExecute, ActivityOutcome, OrchestratorItem, WorkItemOf } from "../../wire/work-item.ts";
import { memoryAdmin } from "./admin/admin.ts";
import { corruptHistory, putUndecodableRow } from "./damage.ts";
import { admitInstances } from "./limits/instances.ts";
import { listLimits, readLimit, setLimit } from "./limits/rules.ts";
import { LongPoll } from "./long-poll.ts";
import { abandonOrchestrationItem } from "./operations/abandon-orchestration-item.ts";
import { abandonWorkItem } from "./operations/abandon-work-item.ts";
import { ackFusedTurn } from "./operations/ack-fused-turn.ts";
import { ackOrchestrationItem } from "./operations/ack-orchestration-item.ts";
import { ackWorkItem } from "./operations/ack-work-item.ts";
import { appendHistory } from "./operations/append-history.ts";
import { changedInstances } from "./operations/changed-instances.ts";
import { enqueueForOrchestrator, enqueueForWorker } from "./operations/enqueue.ts";
import { fetchOrchestrationItem } from "./operations/fetch-orchestration-item.ts";
import { fetchWorkItem } from "./operations/fetch-work-item.ts";
import { nextDueMs } from "./operations/next-due.ts";
import { readProgress, reportProgress } from "./operations/progress.ts";
import { readHistory } from "./operations/read-history.ts";
import { getInstanceStats, getInstanceStatus } from "./operations/read-instance.ts";
import { renewOrchestrationItemLock } from "./operations/renew-orchestration-item-lock.ts";
import { renewWorkItemLock } from "./operations/renew-work-item-lock.ts";
import { reviseInstance } from "./operations/revise-instance.ts";
import { cleanupOrphanedSessions, renewSessionLocks } from "./operations/sessions.ts";
import { startInstance } from "./operations/start-instance.ts";
import { mergedKv } from "./operations/store-kv.ts";
import { appendStream, listStreams, readStream } from "./operations/streams.ts";
import { Store, type Warn } from "./store.ts";

/** The options of an in-memory provider. */
export interface MemoryProviderOptions {
  /** The system clock by default; tests pass a VirtualClock. */
  readonly clock?: Clock;
  /** Makes lock tokens. */
  readonly random?: Random;
  /** Called for messages that were discarded; by default they are warnings on stderr. */
  readonly onWarning?: Warn;
}

const OPTIONS: OptionList = optionList<MemoryProviderOptions>({ clock: true, random: true, onWarning: true });

/** A provider that keeps all data in memory; the data is lost with the process. */
export class MemoryProvider implements Provider {
  readonly name = "memory";
  readonly version = "1.0.0";
  readonly maxFusedActivities: number = Number.POSITIVE_INFINITY;
  readonly admin: ProviderAdmin;
  readonly limits: ProviderLimits;
  readonly #store: Store;
  readonly #longPoll: LongPoll;
  readonly streamPollMs: number = Number.POSITIVE_INFINITY;
  readonly #watchers: Watchers;
  readonly #streamWatchers: Watchers;
  #isClosed = false;

  constructor(options: MemoryProviderOptions = {}) {
    checkOptions("new MemoryProvider", options, OPTIONS);
    const { clock = systemClock, random = systemRandom } = options;
    const onWarning = toWarnings(options.onWarning, { clock, logger: stderrLogger() });
    this.#watchers = new Watchers(clock);
    this.#streamWatchers = new Watchers(clock);
    this.#store = new Store(clock, random, onWarning);
    this.#longPoll = new LongPoll(clock, (nowMs) => nextDueMs(this.#store, nowMs));
    this.admin = memoryAdmin({
      read: (operation, read) => this.#read(operation, read),
      change: (operation, change) => {
        const result = this.#change(operation, change);
        this.#watchers.notifyAll();
        return result;
      },
      revise: reviseInstance,
    });
    this.limits = {
      setLimit: async (key, change) => this.#change("setLimit", (store) => setLimit(store, key, change)),
      listLimits: async () => this.#read("listLimits", listLimits),
      readLimit: async (key) => this.#read("readLimit", (store) => readLimit(store, key)),
    };
  }

  async fetchOrchestrationItem(
    options: FetchOrchestrationOptions,
  ): Promise<FetchedOrchestration | undefined> {
    this.#checkOpen("fetchOrchestrationItem");
    const checked = checkFetchOrchestration(options);
    return this.#longPoll.fetch(() => {
      admitInstances(this.#store);
      return fetchOrchestrationItem(this.#store, checked);
    }, checked);
  }

  async ackOrchestrationItem(ack: OrchestrationAck): Promise<AckedOrchestration> {
    const { acked, instanceId } = this.#change("ackOrchestrationItem", (store) =>
      ackOrchestrationItem(store, ack),
    );
    this.#committed(instanceId, ack);
    return acked;
  }

  async abandonOrchestrationItem(lockToken: string, options?: AbandonOptions): Promise<void> {
    this.#change("abandonOrchestrationItem", (store) => abandonOrchestrationItem(store, lockToken, options));
  }

  async renewOrchestrationItemLock(
    lockToken: string,
    extendMs: number,
    options?: RenewOptions,
  ): Promise<void> {
    this.#change("renewOrchestrationItemLock", (store) =>
      renewOrchestrationItemLock(store, lockToken, extendMs, options),
    );
  }

  async readHistory(instanceId: string, executionId?: number): Promise<readonly HistoryEvent[]> {
    return this.#readFor("readHistory", instanceId, (store, id) => readHistory(store, id, executionId));
  }

  async appendHistory(
    instanceId: string,
    executionId: number,
    events: readonly HistoryEvent[],
  ): Promise<void> {
    this.#change("appendHistory", (store) =>
      appendHistory(store, toInstanceId("appendHistory", instanceId), executionId, events),
    );
  }

  async enqueueForWorker(item: ActivityExecute): Promise<void> {
    this.#change("enqueueForWorker", (store) => enqueueForWorker(store, item));
  }

  async enqueueForOrchestrator(
    item: OrchestratorItem,
    delayMs?: number,
    options?: EnqueueOptions,
  ): Promise<EnqueueOutcome> {
    return this.#change("enqueueForOrchestrator", (store) =>
      enqueueForOrchestrator(store, item, delayMs, options),
    );
  }

  async startInstance(
    start: WorkItemOf<"StartOrchestration">,
    options: StartInstanceOptions,
  ): Promise<StartOutcome> {
    return this.#change("startInstance", (store) => startInstance(store, start, options));
  }

  async fetchWorkItem(options: FetchWorkOptions): Promise<FetchedWork | undefined> {
    this.#checkOpen("fetchWorkItem");
    const checked = checkFetchWork(options);
    if (checked.tagFilter.kind === "none") return undefined;
    return this.#longPoll.fetch(() => fetchWorkItem(this.#store, checked), checked);
  }

  async ackWorkItem(lockToken: string, outcome?: ActivityOutcome): Promise<void> {
    this.#change("ackWorkItem", (store) => ackWorkItem(store, lockToken, outcome));
  }

  async ackFusedTurn(ack: FusedAck): Promise<FusedOutcome> {
    const outcome = this.#change("ackFusedTurn", (store) => ackFusedTurn(store, ack));
    if (outcome.kind === "committed") this.#committed(ack.instanceId, ack);
    return outcome;
  }

  #committed(instanceId: string, { streams = [] }: TurnContent): void {
    this.#watchers.notify([instanceId]);
    this.#streamWatchers.notify(streams.map(({ stream }) => streamKey(instanceId, stream)));
  }

  async appendStream(append: StreamAppend): Promise<AppendOutcome> {
    checkAppend("appendStream", append);
    const outcome = this.#change("appendStream", (store) => appendStream(store, append));
    this.#streamWatchers.notify([streamKey(append.instanceId, append.stream)]);
    return outcome;
  }

  async readStream(read: StreamRead): Promise<StreamPage | undefined> {
    checkStreamRead("readStream", read);
    return this.#read("readStream", (store) => readStream(store, read));
  }

  async listStreams(instanceId: string): Promise<readonly StreamInfo[]> {
    return this.#readFor("listStreams", instanceId, listStreams);
  }

  async reportProgress(report: ProgressReport): Promise<void> {
    checkProgress("reportProgress", report);
    this.#change("reportProgress", (store) => reportProgress(store, report));
  }

  async readProgress(instanceId: string, call?: string): Promise<readonly StoredProgress[]> {
    return this.#readFor("readProgress", instanceId, (store, id) => readProgress(store, id, call));
  }

  watchStream(instanceId: string, stream: string, listener: () => void): () => void {
    return this.#streamWatchers.add(streamKey(instanceId, stream), listener);
  }

  async renewWorkItemLock(lockToken: string, extendMs: number, options?: RenewOptions): Promise<void> {
    this.#change("renewWorkItemLock", (store) => renewWorkItemLock(store, lockToken, extendMs, options));
  }

  async abandonWorkItem(lockToken: string, options?: AbandonOptions): Promise<void> {
    this.#change("abandonWorkItem", (store) => abandonWorkItem(store, lockToken, options));
  }

  async renewSessionLocks(options: RenewSessionsOptions): Promise<number> {
    return this.#change("renewSessionLocks", (store) => renewSessionLocks(store, options));
  }

  async cleanupOrphanedSessions(): Promise<number> {
    return this.#change("cleanupOrphanedSessions", cleanupOrphanedSessions);
  }

  async getInstanceStatus(instanceId: string): Promise<InstanceStatus | undefined> {
    return this.#readFor("getInstanceStatus", instanceId, (store, id) => getInstanceStatus(store, id));
  }

  async hasBegun({ instanceId, executionId, activityId }: ActivityId): Promise<boolean> {
    return this.#read("hasBegun", ({ activities }) =>
      activities.every(
        (row) =>
          row.instanceId !== instanceId ||
          row.executionId !== executionId ||
          row.activityId !== activityId ||
          row.attemptCount > 0,
      ),
    );
  }

  async getKvValues(instanceId: string, key?: string): Promise<ReadonlyMap<string, string>> {
    if (key !== undefined) checkKey("getKvValues", key);
    return this.#readFor("getKvValues", instanceId, (store, id) => {
      const all = mergedKv(store, id);
      const value = key === undefined ? undefined : all.get(key);
      return key === undefined ? all : new Map(value === undefined ? [] : [[key, value]]);
    });
  }

  async getInstanceStats(instanceId: string): Promise<InstanceStats | undefined> {
    return this.#readFor("getInstanceStats", instanceId, (store, id) => getInstanceStats(store, id));
  }

  async changedInstances(
    instanceIds: readonly string[],
    sinceMs: number,
  ): Promise<ReadonlyMap<string, string>> {
    const ids = toInstanceIds("changedInstances", instanceIds);
    return this.#read("changedInstances", (store) => changedInstances(store, ids, sinceMs));
  }

  watchInstance(instanceId: string, listener: () => void): () => void {
    return this.#watchers.add(instanceId, listener);
  }

  /**
   * The data as tables, for the lock step of the validation kit.
   *
   * @internal
   */
  get tables(): Store {
    return this.#store;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Makes all events of the instance undecodable, for tests with damaged data. */
  corruptHistory(instanceId: string): void {
    corruptHistory(this.#store, instanceId);
  }

  /** The highest attempt count of the instance's messages, for tests. */
  highestAttemptCount(instanceId: string): number {
    const own = this.#store.messages.filter((row) => row.instanceId === instanceId);
    return Math.max(0, ...own.map(({ attemptCount }) => attemptCount));
  }

  /** Adds a visible row that cannot be decoded, for tests with damaged data. */
  putUndecodableRow(queue: "orchestrator" | "worker", instanceId: string): void {
    this.#change("putUndecodableRow", (store) => putUndecodableRow(store, queue, instanceId));
  }

  /** Ends waiting fetches without work; all later calls are rejected. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#longPoll.close();
  }

  #read<T>(operation: string, read: (store: Store) => T): T {
    this.#checkOpen(operation);
    return read(this.#store);
  }

  #readFor<T>(operation: string, instanceId: string, read: (store: Store, id: string) => T): T {
    return this.#read(operation, (store) => read(store, toInstanceId(operation, instanceId)));
  }

  #change<T>(operation: string, change: (store: Store) => T): T {
    this.#checkOpen(operation);
    const result = change(this.#store);
    admitInstances(this.#store);
    this.#longPoll.wake();
    return result;
  }

  #checkOpen(operation: string): void {
    if (!this.#isClosed) return;
    throw new ProviderError({ code: "closed", operation, message: "the provider is closed; make a new one" });
  }
}
