/** The reading half of a provider: connects methods with their files. It has no logic. */
import type {
  Blocked,
  CustomStatus,
  HistoryEvent,
  InstanceStats,
  InstanceStatus,
} from "@duroxide-ts/core/stores";
import { getBlocked } from "./operations/get-blocked.ts";
import { getCustomStatus } from "./operations/get-custom-status.ts";
import { getInstanceStats } from "./operations/get-instance-stats.ts";
import { getInstanceStatus } from "./operations/get-instance-status.ts";
import { getKvAllValues, getKvValue } from "./operations/get-kv.ts";
import { readHistory } from "./operations/read-history.ts";
import type { Store } from "./store.ts";

export abstract class SqliteReads {
  readonly name = "sqlite";
  readonly version = "0.1.0";
  /** @internal */
  protected readonly store: Store;

  /** @internal */
  protected constructor(store: Store) {
    this.store = store;
  }

  async readHistory(instanceId: string, executionId?: number): Promise<readonly HistoryEvent[]> {
    return this.store.read("readHistory", (db) => readHistory(db, instanceId, executionId));
  }

  async getInstanceStatus(instanceId: string): Promise<InstanceStatus | undefined> {
    return this.store.read("getInstanceStatus", (db) => getInstanceStatus(db, instanceId));
  }

  async getCustomStatus(instanceId: string, lastSeenVersion: number): Promise<CustomStatus | undefined> {
    return this.store.read("getCustomStatus", (db) => getCustomStatus(db, instanceId, lastSeenVersion));
  }

  async getKvValue(instanceId: string, key: string): Promise<string | undefined> {
    return this.store.read("getKvValue", (db) => getKvValue(db, instanceId, key));
  }

  async getKvAllValues(instanceId: string): Promise<ReadonlyMap<string, string>> {
    return this.store.read("getKvAllValues", (db) => getKvAllValues(db, instanceId));
  }

  async getInstanceStats(instanceId: string): Promise<InstanceStats | undefined> {
    return this.store.read("getInstanceStats", (db) => getInstanceStats(db, instanceId));
  }

  async getBlocked(instanceId: string): Promise<readonly Blocked[]> {
    return this.store.read("getBlocked", (db) => getBlocked(db, instanceId));
  }

  watchInstance(instanceId: string, listener: () => void): () => void {
    return this.store.watch(instanceId, listener);
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
