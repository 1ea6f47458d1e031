/** Reads and changes of administration as cases need them: ids, one execution, one instance. */
import type {
  ExecutionInfo,
  InstanceFilter,
  ProviderAdmin,
  PruneOptions,
  PruneResult,
} from "@duroxide-ts/core/stores";
import { allPages } from "./pages.ts";

/** The ids of all instances that match, newest first. */
export function instanceIds(admin: ProviderAdmin, filter: InstanceFilter = {}): Promise<readonly string[]> {
  return allPages(async (from) => {
    const { instances, continuation } = await admin.queryInstances({ filter, ...from });
    return { items: instances.map(({ instanceId }) => instanceId), continuation };
  });
}

/** The ids of the executions of an instance. */
export async function executionIds(admin: ProviderAdmin, instanceId: string): Promise<readonly number[]> {
  return (await admin.listExecutions(instanceId)).map(({ executionId }) => executionId);
}

/** One execution, which must exist. */
export async function executionInfo(
  admin: ProviderAdmin,
  instanceId: string,
  executionId: number,
): Promise<ExecutionInfo> {
  const [execution] = await admin.listExecutions(instanceId, executionId);
  if (execution === undefined) throw new Error(`execution ${executionId} of ${instanceId} is not listed`);
  return execution;
}

/** Prunes one instance. */
export function pruneOne(
  admin: ProviderAdmin,
  instanceId: string,
  options: PruneOptions,
): Promise<PruneResult> {
  return admin.pruneInstances({ instanceIds: [instanceId] }, options);
}
