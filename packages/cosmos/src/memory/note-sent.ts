/** Notes a message that this process has added to the queue of an instance. */
import type { OrchestratorItem } from "@duroxide-ts/core/stores";
import { type NewRow, newMessageRow } from "../documents/rows.ts";
import type { Memory } from "./memory.ts";

/**
 * A `certain` message is in the queue, so a turn may begin with it without a read. Any other message may have been
 * stored by an attempt without a response, and may be consumed already, so the store is queried for it.
 */
export function noteSent(
  { instances, turns }: Memory,
  row: NewRow<OrchestratorItem>,
  { certain }: { readonly certain: boolean },
): void {
  const { instanceId, visibleAtMs } = row;
  if (certain) instances.wrote(instanceId, newMessageRow(row));
  else instances.expect(instanceId, visibleAtMs);
  turns.changed.notify();
}
