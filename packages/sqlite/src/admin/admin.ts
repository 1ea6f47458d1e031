/** The administrative part of the provider: connects methods with their files. It has no logic. */
import type { Clock } from "@duroxide-ts/core";
import { type ProviderAdmin, toInstanceId, toInstanceIds } from "@duroxide-ts/core/stores";
import type { Store } from "../store.ts";
import { adminReads } from "./admin-reads.ts";
import { deleteInstances, pruneInstances } from "./bulk.ts";
import { deleteInstance, deleteInstancesAtomic } from "./delete-instances.ts";
import { pruneExecutions } from "./prune-executions.ts";
import { reviseInstance } from "./revise-instance.ts";

export function sqliteAdmin(store: Store, clock: Clock): ProviderAdmin {
  return {
    ...adminReads(store, clock),
    deleteInstancesAtomic: async (instanceIds, options = {}) => {
      const ids = toInstanceIds("deleteInstancesAtomic", instanceIds);
      return store.write("deleteInstancesAtomic", deleteInstancesAtomic(ids, options.force === true));
    },
    deleteInstance: async (instanceId, options = {}) => {
      const id = toInstanceId("deleteInstance", instanceId);
      return store.write("deleteInstance", deleteInstance(id, options.force === true));
    },
    deleteInstances: async (filter) => deleteInstances(store, filter),
    pruneExecutions: async (instanceId, options) => {
      const operation = "pruneExecutions";
      const id = toInstanceId(operation, instanceId);
      return store.write(operation, pruneExecutions(operation, id, options));
    },
    pruneInstances: async (filter, options) => pruneInstances(store, filter, options),
    reviseInstance: async (revision) => store.write("reviseInstance", reviseInstance(revision)),
  };
}
