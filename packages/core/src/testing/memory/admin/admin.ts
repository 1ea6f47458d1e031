/** The administrative half of the provider: which file does what. No logic of its own. */
import type {
  DeleteOptions,
  DeleteResult,
  ExecutionInfo,
  InstanceFilter,
  InstanceInfo,
  InstancePage,
  InstanceTree,
  ListInstancesOptions,
  ProviderAdmin,
  PruneOptions,
  PruneResult,
  QueueDepths,
  SystemMetrics,
} from "../../../contract/admin.ts";
import type { Store } from "../store.ts";
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

export class MemoryAdmin implements ProviderAdmin {
  /** Runs an operation whole, and then tells who waits for changes. */
  readonly #run: <T>(operation: (store: Store) => T) => T;

  constructor(run: <T>(operation: (store: Store) => T) => T) {
    this.#run = run;
  }

  async listInstances(options?: ListInstancesOptions): Promise<InstancePage> {
    return this.#run((store) => listInstances(store, options));
  }

  async listExecutions(instanceId: string): Promise<readonly number[]> {
    return this.#run((store) => listExecutions(store, instanceId));
  }

  async latestExecutionId(instanceId: string): Promise<number> {
    return this.#run((store) => latestExecutionId(store, instanceId));
  }

  async getInstanceInfo(instanceId: string): Promise<InstanceInfo> {
    return this.#run((store) => getInstanceInfo(store, instanceId));
  }

  async getExecutionInfo(instanceId: string, executionId: number): Promise<ExecutionInfo> {
    return this.#run((store) => getExecutionInfo(store, instanceId, executionId));
  }

  async getSystemMetrics(): Promise<SystemMetrics> {
    return this.#run(getSystemMetrics);
  }

  async getQueueDepths(): Promise<QueueDepths> {
    return this.#run(getQueueDepths);
  }

  async listChildren(instanceId: string): Promise<readonly string[]> {
    return this.#run((store) => listChildren(store, instanceId));
  }

  async getParentId(instanceId: string): Promise<string | undefined> {
    return this.#run((store) => getParentId(store, instanceId));
  }

  async getInstanceTree(instanceId: string): Promise<InstanceTree> {
    return this.#run((store) => getInstanceTree(store, instanceId));
  }

  async deleteInstancesAtomic(
    instanceIds: readonly string[],
    options?: DeleteOptions,
  ): Promise<DeleteResult> {
    return this.#run((store) => deleteInstancesAtomic(store, instanceIds, options));
  }

  async deleteInstance(instanceId: string, options?: DeleteOptions): Promise<DeleteResult> {
    return this.#run((store) => deleteInstance(store, instanceId, options));
  }

  async deleteInstances(filter: InstanceFilter): Promise<DeleteResult> {
    return this.#run((store) => deleteInstances(store, filter));
  }

  async pruneExecutions(instanceId: string, options: PruneOptions): Promise<PruneResult> {
    return this.#run((store) => pruneExecutions(store, instanceId, options));
  }

  async pruneInstances(filter: InstanceFilter, options: PruneOptions): Promise<PruneResult> {
    return this.#run((store) => pruneInstances(store, filter, options));
  }
}
