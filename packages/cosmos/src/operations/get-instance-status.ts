/** Status, output and custom status of an instance, in one point read. */
import type { ExecutionStatus } from "@duroxide-ts/core";
import { type InstanceStatus, saturatedNumber } from "@duroxide-ts/core/stores";
import { failureDetails, heldBack, statusOf } from "../documents/instance.ts";
import { readNamed } from "../leases/read-instance.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { READ_TIMEOUT_MS } from "../memory/waits.ts";

const OPERATION = "getInstanceStatus";

export async function getInstanceStatus(
  parts: Parts,
  instanceId: string,
): Promise<InstanceStatus | undefined> {
  const instance = await readNamed(new Work(parts, OPERATION, READ_TIMEOUT_MS), instanceId);
  if (instance === undefined) return undefined;
  const { document, notes } = instance;
  const { status, output } = statusOf(instance);
  const failure = failureDetails(notes.failure);
  return {
    executionId: saturatedNumber(document.currentExecutionId),
    status: status as ExecutionStatus,
    output,
    ...(failure !== undefined && { failure }),
    ...(notes.startsAt !== undefined && { startsAtMs: notes.startsAt }),
    ...heldBack(notes),
    customStatus: document.customStatus,
    customStatusVersion: saturatedNumber(document.customStatusVersion),
  };
}
