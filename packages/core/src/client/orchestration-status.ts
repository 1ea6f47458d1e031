/** The state of an instance as clients see it. */
import { cancelReason, listedStatus } from "../contract/listed-status.ts";
import type { InstanceStatus } from "../contract/provider.ts";
import type { Blocked } from "../contract/status.ts";
import { applicationFailure } from "../errors/failure-details.ts";
import { cleanUpFailureOf, type ErrorDetails } from "../wire/error-details.ts";

/** `NotFound` also while the start is stored but not processed. The store has a cancelled instance as a failed one. */
export type OrchestrationStatus<Output = unknown> =
  | ({ readonly status: "NotFound" } & MayBeBlocked)
  | (Scheduled & WithCustomStatus & MayBeBlocked)
  | ({ readonly status: "Running" } & WithCustomStatus & MayBeBlocked)
  | ({ readonly status: "Completed"; readonly output: Output } & WithCustomStatus)
  | (FailedStatus & WithCustomStatus);

/** The start has an `after` that is to come: the code has not begun. */
interface Scheduled {
  readonly status: "Scheduled";
  /** Time at which the code begins, ms since the epoch. */
  readonly startsAtMs: number;
}

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

/** The status of an instance that exists. */
export type KnownStatus<Output> = Exclude<OrchestrationStatus<Output>, { status: "NotFound" }>;

/** Values of a status, decoded, and the present, ms since the epoch. */
interface Decoded<Output> {
  readonly nowMs: number;
  readonly customStatus: unknown;
  /** Decodes the output of a completed instance. */
  output(): Output;
}

export function knownStatus<Output>(
  status: InstanceStatus,
  { nowMs, customStatus, output }: Decoded<Output>,
): KnownStatus<Output> {
  const { executionId, customStatusVersion, startsAtMs = 0 } = status;
  const common = { executionId, customStatus, customStatusVersion };
  const listed = listedStatus(status, nowMs);
  if (status.status === "Failed") return { ...failedStatus(status), ...common };
  if (listed === "Scheduled") return { status: listed, startsAtMs, ...common };
  if (listed === "Completed") return { status: listed, output: output(), ...common };
  return { status: "Running", ...common };
}

function failedStatus(status: InstanceStatus): FailedStatus {
  const details = failureOf(status);
  const message = status.output ?? "";
  const reason = cancelReason(status);
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
