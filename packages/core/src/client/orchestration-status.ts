/** The state of an instance as clients see it. */
import type { Blocked } from "../contract/status.ts";
import type { ErrorDetails } from "../wire/error-details.ts";

/** `NotFound` also while the start is stored but not processed. A cancelled instance is `Failed`. */
export type OrchestrationStatus<Output = unknown> =
  | ({ readonly status: "NotFound" } & MayBeBlocked)
  | ({ readonly status: "Running" } & WithCustomStatus & MayBeBlocked)
  | ({ readonly status: "Completed"; readonly output: Output } & WithCustomStatus)
  | ({
      readonly status: "Failed";
      readonly details: ErrorDetails;
      readonly message: string;
    } & WithCustomStatus);

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
