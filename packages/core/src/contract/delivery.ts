/** Which delivery of an activity a fetched row is. */
import type { FetchedWork } from "./provider.ts";

/** From 1. The store counts lone runs separately. */
export function deliveryOf({ attemptCount, loneRuns = 0 }: FetchedWork): number {
  return attemptCount + loneRuns;
}
