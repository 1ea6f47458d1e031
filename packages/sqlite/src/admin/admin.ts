/** The administrative part of the provider: connects methods with their files. It has no logic. */
import {
  type DeleteOptions,
  type DeleteResult,
  type InstanceFilter,
  type InstanceRevision,
  type ProviderAdmin,
  type PruneOptions,
  type PruneResult,
  type RevisionOutcome,
  toInstanceId,
  toInstanceIds,
} from "@duroxide-ts/core/stores";
import { SqliteAdminReads } from "./admin-reads.ts";
import { deleteInstances, pruneInstances } from "./bulk.ts";
import { deleteInstance, deleteInstancesAtomic } from "./delete-instances.ts";
import { pruneExecutions } from "./prune-executions.ts";
import { reviseInstance } from "./revise-instance.ts";

export class SqliteAdmin extends SqliteAdminReads implements ProviderAdmin {
  async deleteInstancesAtomic(
    instanceIds: readonly string[],
    options: DeleteOptions = {},
  ): Promise<DeleteResult> {
    const ids = toInstanceIds("deleteInstancesAtomic", instanceIds);
    const operation = deleteInstancesAtomic(ids, options.force === true);
    return this.store.write("deleteInstancesAtomic", operation);
  }

  async deleteInstance(instanceId: string, options: DeleteOptions = {}): Promise<DeleteResult> {
    return this.store.write(
      "deleteInstance",
      deleteInstance(toInstanceId("deleteInstance", instanceId), options.force === true),
    );
  }

  async deleteInstances(filter: InstanceFilter): Promise<DeleteResult> {
    return deleteInstances(this.store, filter);
  }

  async pruneExecutions(instanceId: string, options: PruneOptions): Promise<PruneResult> {
    const operation = "pruneExecutions";
    return this.store.write(
      operation,
      pruneExecutions(operation, toInstanceId(operation, instanceId), options),
    );
  }

  async pruneInstances(filter: InstanceFilter, options: PruneOptions): Promise<PruneResult> {
    return pruneInstances(this.store, filter, options);
  }

  async reviseInstance(revision: InstanceRevision): Promise<RevisionOutcome> {
    return this.store.write("reviseInstance", reviseInstance(revision));
  }
}
