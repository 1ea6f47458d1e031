/** The administrative half of the provider: which file does what. No logic of its own. */
import type {
  BlockedPage,
  DeleteOptions,
  DeleteResult,
  ExecutionInfo,
  InstanceFilter,
  InstanceInfo,
  InstancePage,
  InstanceTree,
  ListBlockedOptions,
  ListInstancesOptions,
  ProviderAdmin,
  PruneOptions,
  PruneResult,
  QueueDepths,
  SystemMetrics,
} from "@duroxide-ts/core";
import type { Store } from "../store/store.ts";
import { deleteInstances, pruneInstances } from "./bulk.ts";
import { deleteInstance, deleteInstancesAtomic } from "./delete-instances.ts";
import { getExecutionInfo, latestExecutionId, listExecutions } from "./executions.ts";
import { getInstanceInfo } from "./get-instance-info.ts";
import { getInstanceTree, getParentId, listChildren } from "./instance-tree.ts";
import { listBlocked } from "./list-blocked.ts";
import { listInstances } from "./list-instances.ts";
import { getQueueDepths, getSystemMetrics } from "./metrics.ts";
import { pruneExecutions } from "./prune-executions.ts";

export class CosmosAdmin implements ProviderAdmin {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async listInstances(options?: ListInstancesOptions): Promise<InstancePage> {
    return listInstances(this.#store, options);
  }

  async listExecutions(instanceId: string): Promise<readonly number[]> {
    return listExecutions(this.#store, instanceId);
  }

  async latestExecutionId(instanceId: string): Promise<number> {
    return latestExecutionId(this.#store, instanceId);
  }

  async getInstanceInfo(instanceId: string): Promise<InstanceInfo> {
    return getInstanceInfo(this.#store, instanceId);
  }

  async getExecutionInfo(instanceId: string, executionId: number): Promise<ExecutionInfo> {
    return getExecutionInfo(this.#store, instanceId, executionId);
  }

  async getSystemMetrics(): Promise<SystemMetrics> {
    return getSystemMetrics(this.#store);
  }

  async getQueueDepths(): Promise<QueueDepths> {
    return getQueueDepths(this.#store);
  }

  async listBlocked(options?: ListBlockedOptions): Promise<BlockedPage> {
    return listBlocked(this.#store, options);
  }

  async listChildren(instanceId: string): Promise<readonly string[]> {
    return listChildren(this.#store, instanceId);
  }

  async getParentId(instanceId: string): Promise<string | undefined> {
    return getParentId(this.#store, instanceId);
  }

  async getInstanceTree(instanceId: string): Promise<InstanceTree> {
    return getInstanceTree(this.#store, instanceId);
  }

  async deleteInstancesAtomic(
    instanceIds: readonly string[],
    options?: DeleteOptions,
  ): Promise<DeleteResult> {
    return deleteInstancesAtomic(this.#store, instanceIds, options);
  }

  async deleteInstance(instanceId: string, options?: DeleteOptions): Promise<DeleteResult> {
    return deleteInstance(this.#store, instanceId, options);
  }

  async deleteInstances(filter: InstanceFilter): Promise<DeleteResult> {
    return deleteInstances(this.#store, filter);
  }

  async pruneExecutions(instanceId: string, options: PruneOptions): Promise<PruneResult> {
    return pruneExecutions(this.#store, "pruneExecutions", instanceId, options);
  }

  async pruneInstances(filter: InstanceFilter, options: PruneOptions): Promise<PruneResult> {
    return pruneInstances(this.#store, filter, options);
  }
}
