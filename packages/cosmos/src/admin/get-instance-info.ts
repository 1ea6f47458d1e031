/** An instance with its current execution. */
import { type ExecutionStatus, type InstanceInfo, ProviderError } from "@duroxide-ts/core";
import { listedStatus, readSuspended, saturatedNumber } from "@duroxide-ts/core/stores";
import { failureDetails, heldBack, statusOf } from "../documents/instance.ts";
import { fromTagTexts } from "../documents/tags.ts";
import { readNamed } from "../leases/read-instance.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { READ_TIMEOUT_MS } from "../memory/waits.ts";

const OPERATION = "getInstanceInfo";

export async function getInstanceInfo(parts: Parts, instanceId: string): Promise<InstanceInfo> {
  const work = new Work(parts, OPERATION, READ_TIMEOUT_MS);
  const instance = await readNamed(work, instanceId);
  if (instance === undefined) throw ProviderError.notFound(OPERATION, instanceId);
  const { document, notes } = instance;
  const { suspended, startsAt: startsAtMs } = notes;
  const tags = fromTagTexts(notes.tags);
  const { status, output } = statusOf(instance);
  const { orchestrationVersion, parentInstanceId } = document;
  return {
    instanceId,
    orchestrationName: document.orchestrationName,
    orchestrationVersion,
    currentExecutionId: saturatedNumber(document.currentExecutionId),
    status: listedStatus(
      {
        status: status as ExecutionStatus,
        output,
        failure: failureDetails(notes.failure),
        startsAtMs,
        ...heldBack(notes),
      },
      work.clock.now(),
    ),
    output,
    createdAtMs: saturatedNumber(document.createdAt),
    updatedAtMs: saturatedNumber(document.updatedAt),
    ...(parentInstanceId !== null && { parentInstanceId }),
    ...(startsAtMs !== undefined && { startsAtMs }),
    ...(tags !== undefined && { tags }),
    ...heldBack(notes),
    ...(suspended !== undefined && { suspended: readSuspended(suspended) }),
  };
}
