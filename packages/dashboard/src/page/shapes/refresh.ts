/** Pace of the views of a store that charges by request. */

/** Time between two reads at least, ms. */
export const REFRESH_WITH_COST_MS = 30_000;

/** Request units a second that a view takes on average at most: a hundredth of the smallest container. */
const UNITS_PER_SECOND = 4;

/** Least time until the next read after an answer of so many request units, ms. */
export function pauseForUnits(requestUnits: number): number {
  return Math.round((requestUnits / UNITS_PER_SECOND) * 1_000);
}
