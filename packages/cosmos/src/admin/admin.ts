/** The administrative part of the provider: connects methods with their files. It has no logic. */
import {
  checkInstanceFilter,
  checkListInstances,
  checkPruneOptions,
  type InstanceRevision,
  type ProviderAdmin,
  type RevisionOutcome,
  toInstanceId,
  toInstanceIds,
} from "@duroxide-ts/core/stores";
import type { FetchQueues } from "../fetching/fetch-queues.ts";
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
import { cosmosQueries } from "./queries/queries.ts";

export interface CosmosAdmin extends Required<ProviderAdmin> {
  /**
   * Lists, beyond the contract, messages whose delivery was abandoned and rows that could not be decoded, oldest first.
   */
  listUndelivered(): Promise<readonly Undelivered[]>;
}

/** Revises an instance. A parameter, because this folder may not import the commits of turns. */
export type Revise = (revision: InstanceRevision) => Promise<RevisionOutcome>;

export function cosmosAdmin(
  service: Service,
  memory: Memory,
  queues: FetchQueues,
  run: Guard,
  revise: Revise,
): CosmosAdmin {
  /** The id as the service stores it: a text without lone surrogates. */
  const runFor = <T>(operation: string, instanceId: string, call: (id: string) => Promise<T>): Promise<T> =>
    run(operation, () => call(toInstanceId(operation, instanceId).toWellFormed()));
  return {
    ...cosmosQueries(service, run),
    listInstances: (options) =>
      run("listInstances", async () => {
        checkListInstances("listInstances", options);
        return listInstances(service, options);
      }),
    listExecutions: (instanceId) => runFor("listExecutions", instanceId, (id) => listExecutions(service, id)),
    latestExecutionId: (instanceId) =>
      runFor("latestExecutionId", instanceId, (id) => latestExecutionId(service, id)),
    getInstanceInfo: (instanceId) =>
      runFor("getInstanceInfo", instanceId, (id) => getInstanceInfo(service, id)),
    getExecutionInfo: (instanceId, executionId) =>
      runFor("getExecutionInfo", instanceId, (id) => getExecutionInfo(service, id, executionId)),
    getSystemMetrics: () => run("getSystemMetrics", () => getSystemMetrics(service)),
    getRunningMetrics: () => run("getRunningMetrics", () => getRunningMetrics(service)),
    getQueueDepths: () => run("getQueueDepths", () => getQueueDepths(service)),
    listBlocked: (options) => run("listBlocked", () => listBlocked(service, options)),
    listUndelivered: () => run("listUndelivered", () => listUndelivered(service)),
    listChildren: (instanceId) => runFor("listChildren", instanceId, (id) => listChildren(service, id)),
    getParentId: (instanceId) => runFor("getParentId", instanceId, (id) => getParentId(service, id)),
    getInstanceTree: (instanceId) =>
      runFor("getInstanceTree", instanceId, (id) => getInstanceTree(service, id)),
    deleteInstancesAtomic: (instanceIds, options) =>
      run("deleteInstancesAtomic", () => {
        const ids = toInstanceIds("deleteInstancesAtomic", instanceIds).map((id) => id.toWellFormed());
        return deleteInstancesAtomic(service, memory, queues, ids, options);
      }),
    deleteInstance: (instanceId, options) =>
      runFor("deleteInstance", instanceId, (id) => deleteInstance(service, memory, queues, id, options)),
    deleteInstances: (filter) =>
      run("deleteInstances", async () => {
        checkInstanceFilter("deleteInstances", filter);
        return deleteInstances(service, memory, queues, filter);
      }),
    pruneExecutions: (instanceId, options) =>
      runFor("pruneExecutions", instanceId, async (id) => {
        checkPruneOptions("pruneExecutions", options);
        return pruneExecutions(service, "pruneExecutions", id, options);
      }),
    pruneInstances: (filter, options) =>
      run("pruneInstances", async () => {
        checkInstanceFilter("pruneInstances", filter);
        checkPruneOptions("pruneInstances", options);
        return pruneInstances(service, filter, options);
      }),
    reviseInstance: (revision) => run("reviseInstance", () => revise(revision)),
  };
}
