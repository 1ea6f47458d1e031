/** The reading half of the administrative part: connects methods with their files. It has no logic. */
import type { Clock } from "@duroxide-ts/core";
import type {
  BlockedPage,
  ExecutionInfo,
  InstanceInfo,
  InstancePage,
  InstanceTree,
  ListBlockedOptions,
  ListInstancesOptions,
  QueueDepths,
  SystemMetrics,
} from "@duroxide-ts/core/stores";
import { snapshot } from "../commit/reader.ts";
import type { Store } from "../store.ts";
import { getExecutionInfo, latestExecutionId, listExecutions } from "./executions.ts";
import { getInstanceInfo } from "./get-instance-info.ts";
import { getInstanceTree, getParentId, listChildren } from "./instance-tree.ts";
import { listBlocked } from "./list-blocked.ts";
import { listInstances } from "./list-instances.ts";
import { getQueueDepths, getSystemMetrics } from "./metrics.ts";
import { SqliteQueries } from "./queries/queries.ts";

export abstract class SqliteAdminReads {
  readonly queries: SqliteQueries;
  protected readonly store: Store;
  protected readonly clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.queries = new SqliteQueries(store, clock);
    this.store = store;
    this.clock = clock;
  }

  async listInstances(options?: ListInstancesOptions): Promise<InstancePage> {
    return this.store.read("listInstances", (db) => listInstances(db, options));
  }

  async listExecutions(instanceId: string): Promise<readonly number[]> {
    return this.store.readFor("listExecutions", instanceId, (db, id) => listExecutions(db, id));
  }

  async latestExecutionId(instanceId: string): Promise<number> {
    return this.store.readFor("latestExecutionId", instanceId, (db, id) => latestExecutionId(db, id));
  }

  async getInstanceInfo(instanceId: string): Promise<InstanceInfo> {
    return this.store.readFor("getInstanceInfo", instanceId, (db, id) => getInstanceInfo(db, id));
  }

  async getExecutionInfo(instanceId: string, executionId: number): Promise<ExecutionInfo> {
    return this.store.readFor("getExecutionInfo", instanceId, (db, id) =>
      getExecutionInfo(db, id, executionId),
    );
  }

  async getSystemMetrics(): Promise<SystemMetrics> {
    return this.store.read("getSystemMetrics", getSystemMetrics);
  }

  async getQueueDepths(): Promise<QueueDepths> {
    const nowMs = this.clock.now();
    return this.store.read("getQueueDepths", (db) => snapshot(db, () => getQueueDepths(db, nowMs)));
  }

  async listBlocked(options?: ListBlockedOptions): Promise<BlockedPage> {
    return this.store.read("listBlocked", (db) => snapshot(db, () => listBlocked(db, options)));
  }

  async listChildren(instanceId: string): Promise<readonly string[]> {
    return this.store.readFor("listChildren", instanceId, (db, id) => listChildren(db, id));
  }

  async getParentId(instanceId: string): Promise<string | undefined> {
    return this.store.readFor("getParentId", instanceId, (db, id) => getParentId(db, id));
  }

  async getInstanceTree(instanceId: string): Promise<InstanceTree> {
    return this.store.readFor("getInstanceTree", instanceId, (db, id) =>
      snapshot(db, () => getInstanceTree(db, id)),
    );
  }
}
