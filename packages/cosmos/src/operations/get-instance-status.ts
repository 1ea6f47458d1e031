/** Status, output and custom status of an instance, in one point read, or none where this process has just ended it. */
import type { InstanceStatus } from "@duroxide-ts/core/stores";
import { instanceStatus } from "../documents/instance-status.ts";
import { readNamed } from "../leases/read-instance.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { READ_TIMEOUT_MS } from "../memory/waits.ts";

const OPERATION = "getInstanceStatus";

export async function getInstanceStatus(
  parts: Parts,
  instanceId: string,
): Promise<InstanceStatus | undefined> {
  const ended = parts.memory.watchers.endedStatus(instanceId);
  if (ended !== undefined) return ended;
  const instance = await readNamed(new Work(parts, OPERATION, READ_TIMEOUT_MS), instanceId);
  return instance === undefined ? undefined : instanceStatus(instance);
}
