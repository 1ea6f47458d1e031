/** Instances that have ended. */
import type { ExecutionMetadata } from "../contract/provider.ts";

/** Whether the status is that of an end; a continued execution has not ended its instance. */
export function hasEnded(status: string | undefined): boolean {
  return status === "Completed" || status === "Failed";
}

/**
 * Whether an instance of the status has ended and the acknowledgement only takes messages
 * (docs/reference/provider-contract.md §7, step 13).
 */
export function onlyDiscards(
  status: string | undefined,
  events: readonly unknown[],
  metadata: ExecutionMetadata,
): boolean {
  return (
    hasEnded(status) && events.length === 0 && Object.values(metadata).every((value) => value === undefined)
  );
}
