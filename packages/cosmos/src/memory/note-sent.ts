/** Notes a message that this process has put into the queue of an instance. */
import type { OrchestratorItem } from "@duroxide-ts/core/stores";
import { type NewRow, newMessageRow } from "../documents/rows.ts";
import type { Memory } from "./memory.ts";

/**
 * A `certain` message is in the queue: a turn may begin with it without a read. Another one was perhaps stored by an
 * attempt that was not answered, and perhaps taken already: it is looked for.
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
