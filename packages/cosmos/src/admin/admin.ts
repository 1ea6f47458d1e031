/** The administrative half of the provider: which file does what. No logic of its own. */
import {
  type BlockedPage,
  checkInstanceFilter,
  checkListInstances,
  checkPruneOptions,
  type DeleteOptions,
  type DeleteResult,
  type ExecutionInfo,
  type InstanceFilter,
  type InstanceInfo,
  type InstancePage,
  type InstanceTree,
  type ListBlockedOptions,
  type ListInstancesOptions,
  type ProviderAdmin,
  type PruneOptions,
  type PruneResult,
  type QueueDepths,
  type SystemMetrics,
} from "@duroxide-ts/core/stores";
import type { Store } from "../store/store.ts";
import { deleteInstances, pruneInstances } from "./bulk.ts";
import { deleteInstance, deleteInstancesAtomic } from "./delete-instances.ts";
import { getExecutionInfo, latestExecutionId, listExecutions } from "./executions.ts";
import { getInstanceInfo } from "./get-instance-info.ts";
import { getInstanceTree, getParentId, listChildren } from "./instance-tree.ts";
import { listBlocked } from "./list-blocked.ts";
import { listInstances } from "./list-instances.ts";
import { listUndelivered, type Undelivered } from "./list-undelivered.ts";
import { getQueueDepths, getSystemMetrics } from "./metrics.ts";
import { pruneExecutions } from "./prune-executions.ts";

/** Refuses a call of a closed provider, and lets closing wait for one that is under way. */
export type Guard = <T>(operation: string, call: () => Promise<T>) => Promise<T>;

export class CosmosAdmin implements ProviderAdmin {
  readonly #store: Store;
  readonly #run: Guard;

  constructor(store: Store, run: Guard) {
    this.#store = store;
    this.#run = run;
  }

  async listInstances(options?: ListInstancesOptions): Promise<InstancePage> {
    return this.#run("listInstances", async () => {
      checkListInstances("listInstances", options);
      return listInstances(this.#store, options);
    });
  }

  async listExecutions(instanceId: string): Promise<readonly number[]> {
    return this.#run("listExecutions", () => listExecutions(this.#store, storedId(instanceId)));
  }

  async latestExecutionId(instanceId: string): Promise<number> {
    return this.#run("latestExecutionId", () => latestExecutionId(this.#store, storedId(instanceId)));
  }

  async getInstanceInfo(instanceId: string): Promise<InstanceInfo> {
    return this.#run("getInstanceInfo", () => getInstanceInfo(this.#store, storedId(instanceId)));
  }

  async getExecutionInfo(instanceId: string, executionId: number): Promise<ExecutionInfo> {
    return this.#run("getExecutionInfo", () =>
      getExecutionInfo(this.#store, storedId(instanceId), executionId),
    );
  }

  async getSystemMetrics(): Promise<SystemMetrics> {
    return this.#run("getSystemMetrics", () => getSystemMetrics(this.#store));
  }

  async getQueueDepths(): Promise<QueueDepths> {
    return this.#run("getQueueDepths", () => getQueueDepths(this.#store));
  }

  async listBlocked(options?: ListBlockedOptions): Promise<BlockedPage> {
    return this.#run("listBlocked", () => listBlocked(this.#store, options));
  }

  /** Beyond the contract: messages that were given up, and rows that could not be decoded, oldest first. */
  async listUndelivered(): Promise<readonly Undelivered[]> {
    return this.#run("listUndelivered", () => listUndelivered(this.#store));
  }

  async listChildren(instanceId: string): Promise<readonly string[]> {
    return this.#run("listChildren", () => listChildren(this.#store, storedId(instanceId)));
  }

  async getParentId(instanceId: string): Promise<string | undefined> {
    return this.#run("getParentId", () => getParentId(this.#store, storedId(instanceId)));
  }

  async getInstanceTree(instanceId: string): Promise<InstanceTree> {
    return this.#run("getInstanceTree", () => getInstanceTree(this.#store, storedId(instanceId)));
  }

  async deleteInstancesAtomic(
    instanceIds: readonly string[],
    options?: DeleteOptions,
  ): Promise<DeleteResult> {
    return this.#run("deleteInstancesAtomic", () =>
      deleteInstancesAtomic(this.#store, instanceIds.map(storedId), options),
    );
  }

  async deleteInstance(instanceId: string, options?: DeleteOptions): Promise<DeleteResult> {
    return this.#run("deleteInstance", () => deleteInstance(this.#store, storedId(instanceId), options));
  }

  async deleteInstances(filter: InstanceFilter): Promise<DeleteResult> {
    return this.#run("deleteInstances", async () => {
      checkInstanceFilter("deleteInstances", filter);
      return deleteInstances(this.#store, filter);
    });
  }

  async pruneExecutions(instanceId: string, options: PruneOptions): Promise<PruneResult> {
    return this.#run("pruneExecutions", async () => {
      checkPruneOptions("pruneExecutions", options);
      return pruneExecutions(this.#store, "pruneExecutions", storedId(instanceId), options);
    });
  }

  async pruneInstances(filter: InstanceFilter, options: PruneOptions): Promise<PruneResult> {
    return this.#run("pruneInstances", async () => {
      checkInstanceFilter("pruneInstances", filter);
      checkPruneOptions("pruneInstances", options);
      return pruneInstances(this.#store, filter, options);
    });
  }
}

/** As the service stores it: a text without lone surrogates. */
function storedId(instanceId: string): string {
  return instanceId.toWellFormed();
}
