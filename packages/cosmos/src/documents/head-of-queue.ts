/**
 * The places of messages that an execution returns when it continues as new: before every row that the instance has or
 * gets, and before those of earlier executions (docs/reference/provider-contract.md §7.1). They are times of enqueue
 * like any other, only long ago, so that Rust and our queries go by them without a rule of their own.
 */

/** September 2001. No row was enqueued before. */
const BEFORE_MS = 1_000_000_000_000;

/** Room for the messages of one execution; beyond it their sequence numbers decide. */
const ROOM = 10_000;

/** `enqueuedAt` of the nth message that the execution returns. Positive, as Rust needs it. */
export function headOfQueueMs(executionId: number, index: number): number {
  return Math.max(1, BEFORE_MS - executionId * ROOM + Math.min(index, ROOM - 1));
}
