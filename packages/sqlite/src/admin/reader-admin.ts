/** The administrative part of a reader, which refuses all changes. */
import type { Clock } from "@duroxide-ts/core";
import type { ProviderAdmin } from "@duroxide-ts/core/stores";
import type { Store } from "../store.ts";
import { adminReads } from "./admin-reads.ts";

export function readerAdmin(store: Store, clock: Clock): ProviderAdmin {
  const refused = (operation: string) => async (): Promise<never> => store.refuse(operation);
  return {
    ...adminReads(store, clock),
    deleteInstance: refused("deleteInstance"),
    deleteInstances: refused("deleteInstances"),
    pruneInstances: refused("pruneInstances"),
    reviseInstance: refused("reviseInstance"),
  };
}
