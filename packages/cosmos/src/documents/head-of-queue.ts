/**
 * The positions of messages that an execution returns when it continues as new: before all present and later rows of
 * the instance, and before those of earlier executions (docs/reference/provider-contract.md §7.1). They are ordinary
 * enqueue times in the past, so that Rust and our queries need no special rule.
 */

/** September 2001, earlier than the enqueue of any row. */
const BEFORE_MS = 1_000_000_000_000;

/** The number of times for one execution; further messages are ordered by their sequence numbers. */
const ROOM = 10_000;

/** `enqueuedAt` of the nth message that the execution returns. Positive, because Rust requires it. */
export function headOfQueueMs(executionId: number, index: number): number {
  return Math.max(1, BEFORE_MS - executionId * ROOM + Math.min(index, ROOM - 1));
}
