/** The administrative part of the provider: connects methods with their files. It has no logic. */
import type { ProviderAdmin } from "../../../contract/admin.ts";
import { toInstanceId } from "../../../stores/arguments.ts";
import { listBlocked } from "../blocked.ts";
import type { Store } from "../store.ts";
import type { Access } from "./access.ts";
import { deleteInstance, deleteInstances } from "./delete-instances.ts";
import { getInstanceInfo, getQueueDepths, getSystemMetrics, listExecutions } from "./inspect.ts";
import { pruneInstances } from "./prune-instances.ts";
import { memoryQueries } from "./queries/queries.ts";

export function memoryAdmin(access: Access): ProviderAdmin {
  const readFor = <T>(operation: string, instanceId: string, read: (store: Store, id: string) => T): T =>
    access.read(operation, (store) => read(store, toInstanceId(operation, instanceId)));
  return {
    ...memoryQueries(access),
    listExecutions: async (instanceId, executionId) =>
      readFor("listExecutions", instanceId, (store, id) => listExecutions(store, id, executionId)),
    getInstanceInfo: async (instanceId) => readFor("getInstanceInfo", instanceId, getInstanceInfo),
    getSystemMetrics: async () => access.read("getSystemMetrics", getSystemMetrics),
    getQueueDepths: async () => access.read("getQueueDepths", getQueueDepths),
    listBlocked: async (options) => access.read("listBlocked", (store) => listBlocked(store, options)),
    deleteInstance: async (instanceId, options) =>
      access.change("deleteInstance", (store) =>
        deleteInstance(store, toInstanceId("deleteInstance", instanceId), options),
      ),
    deleteInstances: async (filter, options) =>
      access.change("deleteInstances", (store) => deleteInstances(store, filter, options)),
    pruneInstances: async (filter, options) =>
      access.change("pruneInstances", (store) => pruneInstances(store, filter, options)),
    reviseInstance: async (revision) =>
      access.change("reviseInstance", (store) => access.revise(store, revision)),
  };
}
