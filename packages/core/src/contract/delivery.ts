/** The delivery of an activity that a fetched row stands for. */
import type { FetchedWork } from "./provider.ts";

/** Number of the delivery, from 1. The store counts lone runs separately. */
export function deliveryOf({ attemptCount, loneRuns = 0 }: FetchedWork): number {
  return attemptCount + loneRuns;
}
