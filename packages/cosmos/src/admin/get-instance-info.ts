/** An instance with its current execution. */
import {
  type ExecutionStatus,
  type InstanceInfo,
  ProviderError,
  saturatedNumber,
} from "@duroxide-ts/core/stores";
import { READ_PATIENCE_MS, readNamed } from "../store/read-instance.ts";
import type { Store } from "../store/store.ts";

const OPERATION = "getInstanceInfo";

export async function getInstanceInfo(store: Store, instanceId: string): Promise<InstanceInfo> {
  const instance = await readNamed(store, store.requests.call(OPERATION, READ_PATIENCE_MS), instanceId);
  if (instance === undefined) throw ProviderError.notFound(OPERATION, instanceId);
  const { document } = instance;
  const { orchestrationVersion, parentInstanceId } = document;
  return {
    instanceId,
    orchestrationName: document.orchestrationName,
    orchestrationVersion,
    currentExecutionId: saturatedNumber(document.currentExecutionId),
    status: document.status as ExecutionStatus,
    output: document.output,
    createdAtMs: saturatedNumber(document.createdAt),
    updatedAtMs: saturatedNumber(document.updatedAt),
    ...(parentInstanceId !== null && { parentInstanceId }),
  };
}
