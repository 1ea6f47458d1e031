/** Describes in words the work that runs again. */
import type { RetryResult } from "@duroxide-ts/core";

/** `runs again in execution 2: charge#11, child ship-1`. */
export function againText({ executionId, activities, children }: RetryResult): string {
  const parts = [
    ...activities.map(({ name, eventId }) => `${name}#${eventId}`),
    ...children.map((id) => `child ${id}`),
  ];
  return `runs again in execution ${executionId}${parts.length === 0 ? "" : `: ${parts.join(", ")}`}`;
}
