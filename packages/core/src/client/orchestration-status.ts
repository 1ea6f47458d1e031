/** The state of an instance as clients see it. */
import type { InstanceStatus } from "../contract/provider.ts";
import type { Blocked } from "../contract/status.ts";
import { applicationFailure } from "../errors/failure-details.ts";
import {
  CANCELLED_PREFIX,
  cancellationOf,
  cleanUpFailureOf,
  type ErrorDetails,
} from "../wire/error-details.ts";

/** `NotFound` also while the start is stored but not processed. The store has a cancelled instance as a failed one. */
export type OrchestrationStatus<Output = unknown> =
  | ({ readonly status: "NotFound" } & MayBeBlocked)
  | ({ readonly status: "Running" } & WithCustomStatus & MayBeBlocked)
  | ({ readonly status: "Completed"; readonly output: Output } & WithCustomStatus)
  | (FailedStatus & WithCustomStatus);

/** A client, an operator or its parent has cancelled the instance. Its `result()` rejects with OrchestrationFailedError. */
interface Cancelled {
  readonly status: "Cancelled";
  readonly reason: string;
  /** Message of the error of its clean-up, where that failed: what it was to undo is left. */
  readonly cleanUpFailure?: string;
  readonly details: ErrorDetails;
  /** `canceled: <reason>` */
  readonly message: string;
}

/** The end of an instance without an output. */
type FailedStatus =
  | Cancelled
  | { readonly status: "Failed"; readonly details: ErrorDetails; readonly message: string };

interface WithCustomStatus {
  readonly executionId: number;
  readonly customStatus: unknown;
  /** Incremented by every turn that sets or clears the custom status. */
  readonly customStatusVersion: number;
}

interface MayBeBlocked {
  /**
   * Blocked work: the instance itself, or activities of it. Absent if nothing is blocked, or if the store does not
   * support it (docs/guide/08-versions-and-deployments.md).
   */
  readonly blocked?: readonly Blocked[];
}

export function failedStatus(status: InstanceStatus): FailedStatus {
  const details = failureOf(status);
  const message = status.output ?? "";
  const isCancelled = message.startsWith(CANCELLED_PREFIX) && status.failure === undefined;
  const reason = isCancelled ? message.slice(CANCELLED_PREFIX.length) : cancellationOf(details);
  if (reason === undefined) return { status: "Failed", details, message };
  const cleanUpFailure = cleanUpFailureOf(details);
  return {
    status: "Cancelled",
    reason,
    ...(cleanUpFailure !== undefined && { cleanUpFailure }),
    details,
    message,
  };
}

/** Stores without failure details keep the message as the output. */
export function failureOf({ failure, output }: InstanceStatus): ErrorDetails {
  return failure ?? applicationFailure("OrchestrationFailed", output ?? "the orchestration failed");
}
