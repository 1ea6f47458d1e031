/** The administrative part of the provider: connects methods with their files. It has no logic. */
import type {
  BlockedPage,
  DeleteOptions,
  DeleteResult,
  ExecutionInfo,
  InstanceFilter,
  InstancePage,
  InstanceTree,
  ListBlockedOptions,
  ListInstancesOptions,
  ProviderAdmin,
  PruneOptions,
  PruneResult,
  QueueDepths,
  SystemMetrics,
} from "../../../contract/admin.ts";
import type { InstanceInfo } from "../../../contract/instance-info.ts";
import type { InstanceRevision, RevisionOutcome } from "../../../contract/revision.ts";
import { toInstanceId, toInstanceIds } from "../../../stores/arguments.ts";
import { listBlocked } from "../blocked.ts";
import type { Store } from "../store.ts";
import type { Access } from "./access.ts";
import { deleteInstance, deleteInstances, deleteInstancesAtomic } from "./delete-instances.ts";
import {
  getExecutionInfo,
  getInstanceInfo,
  getQueueDepths,
  getSystemMetrics,
  latestExecutionId,
  listExecutions,
  listInstances,
} from "./inspect.ts";
import { getInstanceTree, getParentId, listChildren } from "./instance-tree.ts";
import { pruneExecutions, pruneInstances } from "./prune-executions.ts";
import { MemoryQueries } from "./queries/queries.ts";

export class MemoryAdmin implements ProviderAdmin {
  readonly queries: MemoryQueries;
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
    this.queries = new MemoryQueries(access);
  }

  async listInstances(options?: ListInstancesOptions): Promise<InstancePage> {
    return this.#access.read("listInstances", (store) => listInstances(store, options));
  }

  async listExecutions(instanceId: string): Promise<readonly number[]> {
    return this.#readFor("listExecutions", instanceId, (store, id) => listExecutions(store, id));
  }

  async latestExecutionId(instanceId: string): Promise<number> {
    return this.#readFor("latestExecutionId", instanceId, (store, id) => latestExecutionId(store, id));
  }

  async getInstanceInfo(instanceId: string): Promise<InstanceInfo> {
    return this.#readFor("getInstanceInfo", instanceId, (store, id) => getInstanceInfo(store, id));
  }

  async getExecutionInfo(instanceId: string, executionId: number): Promise<ExecutionInfo> {
    return this.#readFor("getExecutionInfo", instanceId, (store, id) =>
      getExecutionInfo(store, id, executionId),
    );
  }

  async getSystemMetrics(): Promise<SystemMetrics> {
    return this.#access.read("getSystemMetrics", getSystemMetrics);
  }

  async getQueueDepths(): Promise<QueueDepths> {
    return this.#access.read("getQueueDepths", getQueueDepths);
  }

  async listBlocked(options?: ListBlockedOptions): Promise<BlockedPage> {
    return this.#access.read("listBlocked", (store) => listBlocked(store, options));
  }

  async listChildren(instanceId: string): Promise<readonly string[]> {
    return this.#readFor("listChildren", instanceId, (store, id) => listChildren(store, id));
  }

  async getParentId(instanceId: string): Promise<string | undefined> {
    return this.#readFor("getParentId", instanceId, (store, id) => getParentId(store, id));
  }

  async getInstanceTree(instanceId: string): Promise<InstanceTree> {
    return this.#readFor("getInstanceTree", instanceId, (store, id) => getInstanceTree(store, id));
  }

  async deleteInstancesAtomic(
    instanceIds: readonly string[],
    options?: DeleteOptions,
  ): Promise<DeleteResult> {
    return this.#access.change("deleteInstancesAtomic", (store) =>
      deleteInstancesAtomic(store, toInstanceIds("deleteInstancesAtomic", instanceIds), options),
    );
  }

  async deleteInstance(instanceId: string, options?: DeleteOptions): Promise<DeleteResult> {
    return this.#access.change("deleteInstance", (store) =>
      deleteInstance(store, toInstanceId("deleteInstance", instanceId), options),
    );
  }

  async deleteInstances(filter: InstanceFilter): Promise<DeleteResult> {
    return this.#access.change("deleteInstances", (store) => deleteInstances(store, filter));
  }

  async pruneExecutions(instanceId: string, options: PruneOptions): Promise<PruneResult> {
    return this.#access.change("pruneExecutions", (store) =>
      pruneExecutions(store, toInstanceId("pruneExecutions", instanceId), options),
    );
  }

  async pruneInstances(filter: InstanceFilter, options: PruneOptions): Promise<PruneResult> {
    return this.#access.change("pruneInstances", (store) => pruneInstances(store, filter, options));
  }

  async reviseInstance(revision: InstanceRevision): Promise<RevisionOutcome> {
    return this.#access.change("reviseInstance", (store) => this.#access.revise(store, revision));
  }

  #readFor<T>(operation: string, instanceId: string, read: (store: Store, id: string) => T): T {
    return this.#access.read(operation, (store) => read(store, toInstanceId(operation, instanceId)));
  }
}
