/** The state of an instance as clients see it. */
import { cancelReason, listedStatus } from "../contract/listed-status.ts";
import type { InstanceStatus } from "../contract/provider.ts";
import type { Blocked } from "../contract/status.ts";
import { applicationFailure } from "../errors/failure-details.ts";
import { cleanUpFailureOf, type ErrorDetails } from "../wire/error-details.ts";

/** `NotFound` also while the start is stored but not processed. The store has a cancelled instance as a failed one. */
export type OrchestrationStatus<Output = unknown, Shown = unknown> =
  | ({ readonly status: "NotFound" } & MayBeBlocked)
  | (Scheduled & WithCustomStatus<Shown> & MayBeBlocked)
  | (Waiting & WithCustomStatus<Shown> & MayBeBlocked)
  | ({ readonly status: "Running" } & WithCustomStatus<Shown> & MayBeBlocked)
  | ({ readonly status: "Completed"; readonly output: Output } & WithCustomStatus<Shown>)
  | (FailedStatus & WithCustomStatus<Shown>);

/** The start has an `after` that is to come: the code has not begun. */
interface Scheduled {
  readonly status: "Scheduled";
  /** Time at which the code begins, ms since the epoch. */
  readonly startsAtMs: number;
}

/** The limit of the start lets its code not begin yet. */
interface Waiting {
  readonly status: "Waiting";
  /** Key of the limit. */
  readonly limit: string;
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

interface WithCustomStatus<Shown> {
  readonly executionId: number;
  /** `undefined` where there is none. */
  readonly customStatus: Shown | undefined;
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
export type KnownStatus<Output, Shown> = Exclude<OrchestrationStatus<Output, Shown>, { status: "NotFound" }>;

/** Values of a status, decoded, and the present, ms since the epoch. */
interface Decoded<Output, Shown> {
  readonly nowMs: number;
  readonly customStatus: Shown | undefined;
  /** Decodes the output of a completed instance. */
  output(): Output;
}

export function knownStatus<Output, Shown>(
  status: InstanceStatus,
  { nowMs, customStatus, output }: Decoded<Output, Shown>,
): KnownStatus<Output, Shown> {
  const { executionId, customStatusVersion, startsAtMs = 0, limit = "" } = status;
  const common = { executionId, customStatus, customStatusVersion };
  if (status.status === "Failed") return { ...failedStatus(status), ...common };
  const listed = listedStatus(status, nowMs);
  if (listed === "Scheduled") return { status: listed, startsAtMs, ...common };
  if (listed === "Waiting") return { status: listed, limit, ...common };
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
