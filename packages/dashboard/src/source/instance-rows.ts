/** Instances of the store as rows of the page. */
import type { InstanceInfo } from "@duroxide-ts/core";
import { instanceState, shownTags } from "@duroxide-ts/core/operate";
import type { InstanceSummary } from "@duroxide-ts/core/stores";
import type { InstanceRow } from "../page/shapes/instances.ts";

export function rowOf(instance: InstanceSummary): InstanceRow {
  const note = noteOf(instance);
  const { startsAtMs } = instance;
  const isScheduled = instance.status === "Scheduled" && startsAtMs !== undefined;
  return {
    id: instance.instanceId,
    name: instance.orchestrationName,
    version: instance.orchestrationVersion,
    state: instanceState(instance),
    createdAtMs: instance.createdAtMs,
    updatedAtMs: instance.updatedAtMs,
    executionId: instance.currentExecutionId,
    ...(instance.parentInstanceId !== undefined && { parentId: instance.parentInstanceId }),
    ...(instance.tags !== undefined && { tags: shownTags(instance.tags) }),
    ...(isScheduled && { startsAtMs }),
    ...(note !== undefined && { note }),
  };
}

/** The output of a failed instance is its message, which is no text of the codec. */
function noteOf(instance: InstanceSummary): string | undefined {
  const { status, suspended, blocked } = instance;
  if (status === "Failed" || status === "Cancelled") return messageOf(instance);
  if (status === "Completed") return undefined;
  return suspended?.reason ?? blocked?.detail;
}

function messageOf({ failure, output }: InstanceInfo & Pick<InstanceSummary, "failure">): string {
  return failure?.message ?? output ?? "";
}
