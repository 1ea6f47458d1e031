/** The administration of the example: each method, and the operation that carries it out (§15, §16). */
import type { ProviderAdmin } from "@duroxide-ts/core";
import type { Moment } from "../tables.ts";
import { deleteInstance, deleteInstances, deleteInstancesAtomic } from "./deletion.ts";
import { treeOf } from "./family.ts";
import * as inspection from "./inspection.ts";
import { pruneExecutions, pruneInstances } from "./pruning.ts";

/** `at` begins an operation. */
export function exampleAdmin(at: (operation: string) => Moment): ProviderAdmin {
  return {
    listInstances: async (options = {}) => inspection.listInstances(at("listInstances"), options),
    listExecutions: async (id) => inspection.listExecutions(at("listExecutions"), id),
    latestExecutionId: async (id) => inspection.latestExecutionId(at("latestExecutionId"), id),
    getInstanceInfo: async (id) => inspection.getInstanceInfo(at("getInstanceInfo"), id),
    getExecutionInfo: async (id, execution) =>
      inspection.getExecutionInfo(at("getExecutionInfo"), id, execution),
    getSystemMetrics: async () => inspection.getSystemMetrics(at("getSystemMetrics")),
    getQueueDepths: async () => inspection.getQueueDepths(at("getQueueDepths")),
    listChildren: async (id) => inspection.listChildren(at("listChildren"), id),
    getParentId: async (id) => inspection.getParentId(at("getParentId"), id),
    getInstanceTree: async (id) => ({ rootId: id, allIds: treeOf(at("getInstanceTree").tables, id) }),
    deleteInstancesAtomic: async (ids, { force = false } = {}) =>
      deleteInstancesAtomic(at("deleteInstancesAtomic"), ids, force),
    deleteInstance: async (id, { force = false } = {}) => deleteInstance(at("deleteInstance"), id, force),
    deleteInstances: async (filter) => deleteInstances(at("deleteInstances"), filter),
    pruneExecutions: async (id, options) => pruneExecutions(at("pruneExecutions"), id, options),
    pruneInstances: async (filter, options) => pruneInstances(at("pruneInstances"), filter, options),
  };
}
