/** The administrative part of the provider: connects methods with their files. It has no logic. */
import type { ProviderAdmin } from "../../../contract/admin.ts";
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
import { memoryQueries } from "./queries/queries.ts";

export function memoryAdmin(access: Access): ProviderAdmin {
  const readFor = <T>(operation: string, instanceId: string, read: (store: Store, id: string) => T): T =>
    access.read(operation, (store) => read(store, toInstanceId(operation, instanceId)));
  return {
    ...memoryQueries(access),
    listInstances: async (options) => access.read("listInstances", (store) => listInstances(store, options)),
    listExecutions: async (instanceId) => readFor("listExecutions", instanceId, listExecutions),
    latestExecutionId: async (instanceId) => readFor("latestExecutionId", instanceId, latestExecutionId),
    getInstanceInfo: async (instanceId) => readFor("getInstanceInfo", instanceId, getInstanceInfo),
    getExecutionInfo: async (instanceId, executionId) =>
      readFor("getExecutionInfo", instanceId, (store, id) => getExecutionInfo(store, id, executionId)),
    getSystemMetrics: async () => access.read("getSystemMetrics", getSystemMetrics),
    getQueueDepths: async () => access.read("getQueueDepths", getQueueDepths),
    listBlocked: async (options) => access.read("listBlocked", (store) => listBlocked(store, options)),
    listChildren: async (instanceId) => readFor("listChildren", instanceId, listChildren),
    getParentId: async (instanceId) => readFor("getParentId", instanceId, getParentId),
    getInstanceTree: async (instanceId) => readFor("getInstanceTree", instanceId, getInstanceTree),
    deleteInstancesAtomic: async (instanceIds, options) =>
      access.change("deleteInstancesAtomic", (store) =>
        deleteInstancesAtomic(store, toInstanceIds("deleteInstancesAtomic", instanceIds), options),
      ),
    deleteInstance: async (instanceId, options) =>
      access.change("deleteInstance", (store) =>
        deleteInstance(store, toInstanceId("deleteInstance", instanceId), options),
      ),
    deleteInstances: async (filter) =>
      access.change("deleteInstances", (store) => deleteInstances(store, filter)),
    pruneExecutions: async (instanceId, options) =>
      access.change("pruneExecutions", (store) =>
        pruneExecutions(store, toInstanceId("pruneExecutions", instanceId), options),
      ),
    pruneInstances: async (filter, options) =>
      access.change("pruneInstances", (store) => pruneInstances(store, filter, options)),
    reviseInstance: async (revision) =>
      access.change("reviseInstance", (store) => access.revise(store, revision)),
  };
}
