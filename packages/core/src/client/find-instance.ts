/** Whether a store knows an instance. */
import type { ProviderAdmin } from "../contract/admin.ts";
import type { InstanceInfo } from "../contract/instance-info.ts";
import { ProviderError } from "../contract/provider-error.ts";

/** `undefined` for an unknown instance. */
export async function findInstance(
  admin: Pick<ProviderAdmin, "getInstanceInfo">,
  instanceId: string,
): Promise<InstanceInfo | undefined> {
  try {
    return await admin.getInstanceInfo(instanceId);
  } catch (error) {
    if (ProviderError.is(error) && error.code === "instance-not-found") return undefined;
    throw error;
  }
}

/** Whether a start of the instance waits in the queue. */
export async function hasWaitingStart(
  admin: Pick<ProviderAdmin, "listWork">,
  instanceId: string,
): Promise<boolean> {
  const { work } = await admin.listWork({ instanceId, kind: "orchestrator" });
  return work.some(({ item }) => item === "StartOrchestration");
}
