/** Notes a message that this process has added to the queue of an instance. */
import type { MessageRow } from "../documents/rows.ts";
import type { Memory } from "./memory.ts";
import type { UnconfirmedWrite } from "./unconfirmed-writes.ts";

/**
 * `isNew`: this write has stored it. Otherwise it may have been stored by an attempt without a response, and may be
 * consumed already.
 */
export function noteSent(
  { instances, turns }: Memory,
  { instanceId, partitionWasRead }: UnconfirmedWrite,
  message: MessageRow,
  { isNew }: { readonly isNew: boolean },
): void {
  instances.wrote(instanceId, { ...message, mayBeConsumed: partitionWasRead || !isNew });
  turns.changed.notify();
}
