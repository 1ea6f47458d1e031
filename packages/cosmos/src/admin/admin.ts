/** The administrative part of the provider: connects methods with their files. It has no logic. */
import type {
  DeleteOptions,
  DeleteResult,
  ExecutionInfo,
  InstanceFilter,
  InstanceInfo,
  InstanceTree,
  PruneOptions,
  PruneResult,
  QueueDepths,
  SystemMetrics,
} from "@duroxide-ts/core";
import {
  type BlockedPage,
  checkInstanceFilter,
  checkListInstances,
  checkPruneOptions,
  type InstancePage,
  type InstanceRevision,
  type ListBlockedOptions,
  type ListInstancesOptions,
  type ProviderAdmin,
  type RevisionOutcome,
  type RunningMetrics,
  toInstanceId,
  toInstanceIds,
} from "@duroxide-ts/core/stores";
import type { Memory } from "../memory/memory.ts";
import type { Service } from "../service/service.ts";
import { deleteInstances, pruneInstances } from "./bulk.ts";
import { deleteInstance, deleteInstancesAtomic } from "./delete-instances.ts";
import { getExecutionInfo, latestExecutionId, listExecutions } from "./executions.ts";
import { getInstanceInfo } from "./get-instance-info.ts";
import type { Guard } from "./guard.ts";
import { getInstanceTree, getParentId, listChildren } from "./instance-tree.ts";
import { listBlocked } from "./list-blocked.ts";
import { listInstances } from "./list-instances.ts";
import { listUndelivered, type Undelivered } from "./list-undelivered.ts";
import { getQueueDepths, getRunningMetrics, getSystemMetrics } from "./metrics.ts";
import { pruneExecutions } from "./prune-executions.ts";
import { CosmosQueries } from "./queries/queries.ts";

/** Revises an instance. A parameter, because this folder may not import the commits of turns. */
export type Revise = (revision: InstanceRevision) => Promise<RevisionOutcome>;

export class CosmosAdmin implements ProviderAdmin {
  readonly queries: CosmosQueries;
  readonly #service: Service;
  readonly #memory: Memory;
  readonly #run: Guard;
  readonly #revise: Revise;

  constructor(service: Service, memory: Memory, run: Guard, revise: Revise) {
    this.queries = new CosmosQueries(service, run);
    this.#service = service;
    this.#memory = memory;
    this.#run = run;
    this.#revise = revise;
  }

  async listInstances(options?: ListInstancesOptions): Promise<InstancePage> {
    return this.#run("listInstances", async () => {
      checkListInstances("listInstances", options);
      return listInstances(this.#service, options);
    });
  }

  async listExecutions(instanceId: string): Promise<readonly number[]> {
    return this.#runFor("listExecutions", instanceId, (id) => listExecutions(this.#service, id));
  }

  async latestExecutionId(instanceId: string): Promise<number> {
    return this.#runFor("latestExecutionId", instanceId, (id) => latestExecutionId(this.#service, id));
  }

  async getInstanceInfo(instanceId: string): Promise<InstanceInfo> {
    return this.#runFor("getInstanceInfo", instanceId, (id) => getInstanceInfo(this.#service, id));
  }

  async getExecutionInfo(instanceId: string, executionId: number): Promise<ExecutionInfo> {
    return this.#runFor("getExecutionInfo", instanceId, (id) =>
      getExecutionInfo(this.#service, id, executionId),
    );
  }

  async getSystemMetrics(): Promise<SystemMetrics> {
    return this.#run("getSystemMetrics", () => getSystemMetrics(this.#service));
  }

  async getRunningMetrics(): Promise<RunningMetrics> {
    return this.#run("getRunningMetrics", () => getRunningMetrics(this.#service));
  }

  async getQueueDepths(): Promise<QueueDepths> {
    return this.#run("getQueueDepths", () => getQueueDepths(this.#service));
  }

  async listBlocked(options?: ListBlockedOptions): Promise<BlockedPage> {
    return this.#run("listBlocked", () => listBlocked(this.#service, options));
  }

  /** Beyond the contract: messages whose delivery was abandoned, and rows that could not be decoded, oldest first. */
  async listUndelivered(): Promise<readonly Undelivered[]> {
    return this.#run("listUndelivered", () => listUndelivered(this.#service));
  }

  async listChildren(instanceId: string): Promise<readonly string[]> {
    return this.#runFor("listChildren", instanceId, (id) => listChildren(this.#service, id));
  }

  async getParentId(instanceId: string): Promise<string | undefined> {
    return this.#runFor("getParentId", instanceId, (id) => getParentId(this.#service, id));
  }

  async getInstanceTree(instanceId: string): Promise<InstanceTree> {
    return this.#runFor("getInstanceTree", instanceId, (id) => getInstanceTree(this.#service, id));
  }

  async deleteInstancesAtomic(
    instanceIds: readonly string[],
    options?: DeleteOptions,
  ): Promise<DeleteResult> {
    return this.#run("deleteInstancesAtomic", () => {
      const ids = toInstanceIds("deleteInstancesAtomic", instanceIds).map((id) => id.toWellFormed());
      return deleteInstancesAtomic(this.#service, this.#memory, ids, options);
    });
  }

  async deleteInstance(instanceId: string, options?: DeleteOptions): Promise<DeleteResult> {
    return this.#runFor("deleteInstance", instanceId, (id) =>
      deleteInstance(this.#service, this.#memory, id, options),
    );
  }

  async deleteInstances(filter: InstanceFilter): Promise<DeleteResult> {
    return this.#run("deleteInstances", async () => {
      checkInstanceFilter("deleteInstances", filter);
      return deleteInstances(this.#service, this.#memory, filter);
    });
  }

  async pruneExecutions(instanceId: string, options: PruneOptions): Promise<PruneResult> {
    return this.#runFor("pruneExecutions", instanceId, async (id) => {
      checkPruneOptions("pruneExecutions", options);
      return pruneExecutions(this.#service, "pruneExecutions", id, options);
    });
  }

  async pruneInstances(filter: InstanceFilter, options: PruneOptions): Promise<PruneResult> {
    return this.#run("pruneInstances", async () => {
      checkInstanceFilter("pruneInstances", filter);
      checkPruneOptions("pruneInstances", options);
      return pruneInstances(this.#service, filter, options);
    });
  }

  async reviseInstance(revision: InstanceRevision): Promise<RevisionOutcome> {
    return this.#run("reviseInstance", () => this.#revise(revision));
  }

  /** The id as the service stores it: a text without lone surrogates. */
  #runFor<T>(operation: string, instanceId: string, call: (id: string) => Promise<T>): Promise<T> {
    return this.#run(operation, () => call(toInstanceId(operation, instanceId).toWellFormed()));
  }
}
