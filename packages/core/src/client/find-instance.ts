/** Whether a store knows an instance. */
import type { ProviderAdmin } from "../contract/admin.ts";
import type { InstanceInfo } from "../contract/instance-info.ts";
import { ProviderError } from "../contract/provider-error.ts";
import type { QueuedWork } from "../contract/queries.ts";

/** `undefined` for an unknown instance. */
export async function findInstance(
  admin: Pick<ProviderAdmin, "getInstanceInfo">,
  instanceId: string,
): Promise<InstanceInfo | undefined> {
  try {
    return await admin.getInstanceInfo(instanceId);
  } catch (error) {
    if (ProviderError.is(error, "instance-not-found")) return undefined;
    throw error;
  }
}

/**
 * The reason why a start that could be taken waits, if no process of the store has its orchestration. A store leaves it to other
 * processes for seconds before one of them notes that (docs/decisions/attempts-and-blocked-work.md).
 */
export async function missingCode(
  admin: Pick<ProviderAdmin, "listWorkers">,
  { name, visibleAtMs, lockedUntilMs }: QueuedWork,
  nowMs: number,
): Promise<string | undefined> {
  if (name === undefined || visibleAtMs > nowMs || lockedUntilMs !== undefined) return undefined;
  const workers = await admin.listWorkers();
  if (
    workers.length === 0 ||
    workers.some(({ orchestrations }) => orchestrations.some((it) => it.name === name))
  )
    return undefined;
  return `no process has orchestration ${JSON.stringify(name)}; start one that has it (a process with reportWorker: false does not count)`;
}
