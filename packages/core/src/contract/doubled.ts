/**
 * The pause before a retry, in ms: it doubles with each failure, up to the longest one. `doublings` is 0 for the first
 * pause. Without the random part, which each caller chooses (docs/decisions/0072).
 */
export function doubledMs(firstMs: number, longestMs: number, doublings: number): number {
  return Math.min(firstMs * 2 ** doublings, longestMs);
}
