/** The reading half of a provider: connects methods with their files. It has no logic. */
import {
  type ActivityId,
  checkStreamRead,
  type HistoryEvent,
  type InstanceStats,
  type InstanceStatus,
  type ProviderLimits,
  type StoredProgress,
  type StreamInfo,
  type StreamPage,
  type StreamRead,
  toInstanceIds,
} from "@duroxide-ts/core/stores";
import { changedInstances } from "./operations/changed-instances.ts";
import { getInstanceStats } from "./operations/get-instance-stats.ts";
import { getInstanceStatus } from "./operations/get-instance-status.ts";
import { getKvValues } from "./operations/get-kv.ts";
import { hasBegun } from "./operations/has-begun.ts";
import { readHistory } from "./operations/read-history.ts";
import type { Store } from "./store.ts";

export abstract class SqliteReads {
  readonly name = "sqlite";
  readonly title: string;
  readonly version = "0.1.0";
  readonly maxFusedActivities: number = Number.POSITIVE_INFINITY;
  /** @internal */
  protected readonly store: Store;

  /** @internal */
  protected constructor(store: Store) {
    this.store = store;
    this.title = store.title;
  }

  /** @internal */
  protected get limitReads(): Omit<ProviderLimits, "setLimit"> {
    const { store } = this;
    const { clock } = store;
    // Loaded at the first use, because tools that do not ask start faster so.
    const reads = () => import("./limits/read-limits.ts");
    return {
      listLimits: async () => {
        const { listLimits } = await reads();
        return store.read("listLimits", (db) => listLimits(db, clock.now()));
      },
      readLimit: async (key) => {
        const { readLimit } = await reads();
        return store.read("readLimit", (db) => readLimit(db, key, clock.now()));
      },
    };
  }

  async readHistory(instanceId: string, executionId?: number): Promise<readonly HistoryEvent[]> {
    return this.store.readFor("readHistory", instanceId, (db, id) => readHistory(db, id, executionId));
  }

  async getInstanceStatus(instanceId: string): Promise<InstanceStatus | undefined> {
    const { lastStatuses } = this.store;
    return this.store.readFor("getInstanceStatus", instanceId, (db, id) =>
      getInstanceStatus(db, id, lastStatuses),
    );
  }

  async getKvValues(instanceId: string, key?: string): Promise<ReadonlyMap<string, string>> {
    return this.store.readFor("getKvValues", instanceId, (db, id) => getKvValues(db, id, key));
  }

  async getInstanceStats(instanceId: string): Promise<InstanceStats | undefined> {
    return this.store.readFor("getInstanceStats", instanceId, (db, id) => getInstanceStats(db, id));
  }

  async hasBegun(activity: ActivityId): Promise<boolean> {
    return this.store.readFor("hasBegun", activity.instanceId, (db, id) => hasBegun(db, id, activity));
  }

  async changedInstances(
    instanceIds: readonly string[],
    sinceMs: number,
  ): Promise<ReadonlyMap<string, string>> {
    const ids = toInstanceIds("changedInstances", instanceIds);
    return this.store.read("changedInstances", (db) => changedInstances(db, ids, sinceMs));
  }

  watchInstance(instanceId: string, listener: () => void): () => void {
    return this.store.watch(instanceId, listener);
  }

  // Loaded at the first use, as the reads of limits are.
  async readStream(read: StreamRead): Promise<StreamPage | undefined> {
    checkStreamRead("readStream", read);
    const copy = { ...read };
    const { readStream } = await import("./streams/read-page.ts");
    return this.store.read("readStream", (db) => readStream(db, copy));
  }

  async listStreams(instanceId: string): Promise<readonly StreamInfo[]> {
    const { listStreams } = await import("./streams/read-page.ts");
    return this.store.readFor("listStreams", instanceId, listStreams);
  }

  async readProgress(instanceId: string, call?: string): Promise<readonly StoredProgress[]> {
    const { readProgress } = await import("./streams/progress-rows.ts");
    return this.store.readFor("readProgress", instanceId, (db, id) => readProgress(db, id, call));
  }

  get streamPollMs(): number {
    return this.store.pollIntervalMs;
  }

  watchStream(instanceId: string, stream: string, listener: () => void): () => void {
    return this.store.watchStream(instanceId, stream, listener);
  }

  get isClosed(): boolean {
    return this.store.isClosed;
  }

  /** Ends waiting fetches, commits queued writes and closes the file. `await using` does the same. */
  close(): Promise<void> {
    return this.store.close();
  }

  /** The same as `close`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
