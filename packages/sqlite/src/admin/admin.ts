/** The administrative part of the provider: connects methods with their files. It has no logic. */
import type { Clock } from "@duroxide-ts/core";
import { type ProviderAdmin, toInstanceId } from "@duroxide-ts/core/stores";
import type { Store } from "../store.ts";
import { adminReads } from "./admin-reads.ts";
import { deleteInstances, pruneInstances } from "./bulk.ts";
import { BulkPace } from "./bulk-pace.ts";
import { deleteInstance } from "./delete-instances.ts";
import { makeRoom } from "./make-room.ts";
import { reviseInstance } from "./revise-instance.ts";

export function sqliteAdmin(store: Store, clock: Clock): ProviderAdmin {
  const pace = new BulkPace(clock);
  return {
    ...adminReads(store, clock),
    deleteInstance: async (instanceId, options = {}) => {
      const id = toInstanceId("deleteInstance", instanceId);
      return makeRoom(store, "deleteInstance", deleteInstance(id, options.force === true));
    },
    deleteInstances: async (filter, options) => deleteInstances(store, pace, clock.now(), filter, options),
    pruneInstances: async (filter, options) => pruneInstances(store, clock.now(), filter, options),
    reviseInstance: async (revision) => store.write("reviseInstance", reviseInstance(revision)),
  };
}
