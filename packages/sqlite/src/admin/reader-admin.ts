/** The administrative part of a reader, which refuses all changes. */
import type { ProviderAdmin } from "@duroxide-ts/core/stores";
import { SqliteAdminReads } from "./admin-reads.ts";

export class SqliteReaderAdmin extends SqliteAdminReads implements ProviderAdmin {
  deleteInstancesAtomic(): Promise<never> {
    return this.#refused("deleteInstancesAtomic");
  }

  deleteInstance(): Promise<never> {
    return this.#refused("deleteInstance");
  }

  deleteInstances(): Promise<never> {
    return this.#refused("deleteInstances");
  }

  pruneExecutions(): Promise<never> {
    return this.#refused("pruneExecutions");
  }

  pruneInstances(): Promise<never> {
    return this.#refused("pruneInstances");
  }

  reviseInstance(): Promise<never> {
    return this.#refused("reviseInstance");
  }

  async #refused(operation: string): Promise<never> {
    return this.store.refuse(operation);
  }
}
