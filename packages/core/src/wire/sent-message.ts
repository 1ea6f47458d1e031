/** Messages between orchestrations, which history records as `OrchestrationChained` (docs/decisions/messages.md). */

/** Names of activities, orchestrations, events, queues and keys that begin so are ours. */
export const RESERVED_PREFIX = "@duroxide-ts/";

/** Names of the events that record a sent message: the prefix, and the event or the queue. */
export const RAISED_PREFIX: string = `${RESERVED_PREFIX}raise:`;
export const KEPT_PREFIX: string = `${RESERVED_PREFIX}raise-kept:`;
export const ENQUEUED_PREFIX: string = `${RESERVED_PREFIX}enqueue:`;

/** The message that an event stands for. */
interface SentMessage {
  readonly call: "raise" | "enqueue";
  readonly name: string;
  /** Whether the event is kept until it is awaited. */
  readonly keep?: true;
}

/** The event or queue message that a recorded name stands for; `undefined` for a start. */
export function sentMessage(recorded = ""): SentMessage | undefined {
  if (recorded.startsWith(RAISED_PREFIX))
    return { call: "raise", name: recorded.slice(RAISED_PREFIX.length) };
  if (recorded.startsWith(KEPT_PREFIX))
    return { call: "raise", name: recorded.slice(KEPT_PREFIX.length), keep: true };
  if (!recorded.startsWith(ENQUEUED_PREFIX)) return undefined;
  return { call: "enqueue", name: recorded.slice(ENQUEUED_PREFIX.length) };
}
