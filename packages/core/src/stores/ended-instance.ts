/** Instances that have ended. */
import type { ExecutionMetadata } from "../contract/provider.ts";
import { hasEnded } from "../contract/status.ts";

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
