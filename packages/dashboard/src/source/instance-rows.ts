/** Instances of the store as rows of the page. */
import type { InstanceInfo } from "@duroxide-ts/core";
import type { InstanceSummary } from "@duroxide-ts/core/stores";
import type { InstanceRow } from "../page/shapes/instances.ts";
import type { InstanceState } from "../page/shapes/states.ts";
import type { Payloads } from "../payloads/payloads.ts";

/** The message of a cancelled instance begins so, as in Rust. */
const CANCELLED = "canceled: ";

export function rowOf(instance: InstanceSummary, payloads: Payloads): InstanceRow {
  const note = noteOf(instance, payloads);
  return {
    id: instance.instanceId,
    name: instance.orchestrationName,
    version: instance.orchestrationVersion,
    state: stateOf(instance),
    createdAtMs: instance.createdAtMs,
    updatedAtMs: instance.updatedAtMs,
    executionId: instance.currentExecutionId,
    ...(instance.parentInstanceId !== undefined && { parentId: instance.parentInstanceId }),
    ...(note !== undefined && { note }),
  };
}

/** A suspended or blocked instance is not shown as running: nothing of it runs. */
export function stateOf(instance: InstanceSummary): InstanceState {
  if (instance.status === "Completed") return "completed";
  if (instance.status === "Failed") return isCancelled(instance) ? "cancelled" : "failed";
  if (instance.suspended !== undefined) return "suspended";
  return instance.blocked === undefined ? "running" : "blocked";
}

function isCancelled({ failure, output }: InstanceSummary): boolean {
  return failure === undefined ? output?.startsWith(CANCELLED) === true : failure.category === "cancelled";
}

/** The output of a failed instance is its message, which is no text of the codec. */
function noteOf(instance: InstanceSummary, payloads: Payloads): string | undefined {
  const { status, suspended, blocked } = instance;
  if (status === "Failed") return payloads.plain(messageOf(instance), "error.message");
  if (status === "Completed") return undefined;
  return suspended?.reason ?? blocked?.detail;
}

function messageOf({ failure, output }: InstanceInfo & Pick<InstanceSummary, "failure">): string {
  return failure?.message ?? output ?? "";
}
