/** The status of an instance for readers. */
import type { ExecutionStatus } from "@duroxide-ts/core";
import { type InstanceStatus, saturatedNumber } from "@duroxide-ts/core/stores";
import { failureDetails, heldBack, type Instance, statusOf } from "./instance.ts";

export function instanceStatus(instance: Instance): InstanceStatus {
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
