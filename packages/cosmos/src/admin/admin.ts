/** The administrative part of the provider: connects methods with their files. It has no logic. */
import {
  type InstanceRevision,
  type ProviderAdmin,
  type RevisionOutcome,
  toInstanceId,
} from "@duroxide-ts/core/stores";
import type { Parts } from "../memory/parts.ts";
import { deleteInstances, pruneInstances } from "./bulk.ts";
import { deleteInstance } from "./delete-instances.ts";
import { listExecutions } from "./executions.ts";
import { getInstanceInfo } from "./get-instance-info.ts";
import type { Guard } from "./guard.ts";
import { listBlocked } from "./list-blocked.ts";
import { listUndelivered, type Undelivered } from "./list-undelivered.ts";
import { getQueueDepths, getSystemMetrics } from "./metrics.ts";
import { cosmosQueries } from "./queries/queries.ts";

export interface CosmosAdmin extends ProviderAdmin {
  /**
   * Lists, beyond the contract, messages whose delivery was abandoned and rows that could not be decoded, oldest first.
   */
  listUndelivered(): Promise<readonly Undelivered[]>;
}

/** Parameters, because this folder may not import the commits of turns, and has none of the searches. */
export interface AdminTools {
  readonly revise: (revision: InstanceRevision) => Promise<RevisionOutcome>;
  /** Called when locks were freed. */
  readonly onFreed: () => void;
}

export function cosmosAdmin(parts: Parts, run: Guard, { revise, onFreed }: AdminTools): CosmosAdmin {
  /** The id as the service stores it: a text without lone surrogates. */
  const runFor = <T>(operation: string, instanceId: string, call: (id: string) => Promise<T>): Promise<T> =>
    run(operation, () => call(toInstanceId(operation, instanceId).toWellFormed()));
  return {
    ...cosmosQueries(parts, run, onFreed),
    listExecutions: (instanceId, executionId) =>
      runFor("listExecutions", instanceId, (id) => listExecutions(parts, id, executionId)),
    getInstanceInfo: (instanceId) =>
      runFor("getInstanceInfo", instanceId, (id) => getInstanceInfo(parts, id)),
    getSystemMetrics: () => run("getSystemMetrics", () => getSystemMetrics(parts)),
    getQueueDepths: () => run("getQueueDepths", () => getQueueDepths(parts)),
    listBlocked: (options) => run("listBlocked", () => listBlocked(parts, options)),
    listUndelivered: () => run("listUndelivered", () => listUndelivered(parts)),
    deleteInstance: (instanceId, options) =>
      runFor("deleteInstance", instanceId, (id) => deleteInstance(parts, id, options)),
    deleteInstances: (filter, options) =>
      run("deleteInstances", () => deleteInstances(parts, filter, options)),
    pruneInstances: (filter, options) => run("pruneInstances", () => pruneInstances(parts, filter, options)),
    reviseInstance: (revision) => run("reviseInstance", () => revise(revision)),
  };
}
