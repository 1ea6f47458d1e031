/** Notes a message that this process has added to the queue of an instance. */
import type { MessageRow } from "../documents/rows.ts";
import type { Memory } from "./memory.ts";
import type { Sending } from "./sendings.ts";

/**
 * `isNew`: this write has stored it. Otherwise it may have been stored by an attempt without a response, and may be
 * consumed already.
 */
export function noteSent(
  { instances, turns }: Memory,
  { instanceId, isOvertaken }: Sending,
  message: MessageRow,
  { isNew }: { readonly isNew: boolean },
): void {
  instances.wrote(instanceId, { ...message, isDoubtful: isOvertaken || !isNew });
  turns.changed.notify();
}
