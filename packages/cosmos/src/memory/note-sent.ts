/** Notes a message that this process has added to the queue of an instance. */
import type { MessageRow } from "../documents/rows.ts";
import type { Parts } from "./parts.ts";
import type { UnconfirmedWrite } from "./unconfirmed-writes.ts";

/**
 * `isNew`: this write has stored it. Otherwise it may have been stored by an attempt without a response, and may be
 * consumed already.
 */
export function noteSent(
  { memory }: Parts,
  { instanceId, partitionWasRead }: UnconfirmedWrite,
  message: MessageRow,
  { isNew }: { readonly isNew: boolean },
): void {
  memory.instances.wrote(instanceId, { ...message, mayBeConsumed: partitionWasRead || !isNew });
  memory.waitingForTurns.notify();
}
