/**
 * Messages that no turn may have yet: those of a suspended instance, and those for an instance that has neither a name, a history nor a start in the batch (docs/reference/
 * provider-contract.md §6.6). Those that the contract keeps are hidden for a growing while, so that they are in
 * nobody's way; the turn that has the start takes them along, hidden or not (hazard W23).
 */

import { NOTES_FIELD } from "../documents/body.ts";
import { messageReceiptDocumentId } from "../documents/ids.ts";
import type { Instance } from "../documents/instance.ts";
import type { MessageRow } from "../documents/rows.ts";
import { FIRST_POSTPONED_MS, LONGEST_POSTPONED_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import type { Call, Service } from "../service/service.ts";
import { isStart } from "./to-fetched.ts";

export function lacksContext(instance: Instance | undefined, rows: readonly MessageRow[]): boolean {
  if (rows.some(({ item }) => isStart(item))) return false;
  if (instance === undefined) return true;
  const { document, notes } = instance;
  // What Rust wrote has no notes, and may have a history.
  return document.orchestrationName === "" && notes.lastEventId === 0;
}

/** Arrived before the orchestration started: queue messages are dropped, the others wait. */
export async function postpone(call: Call, instanceId: string, rows: readonly MessageRow[]): Promise<void> {
  const isDropped = rows.every(({ item }) => item.kind === "QueueMessage");
  if (isDropped) {
    call.service.warn("queue messages were dropped: they came before their orchestration was started", {
      instanceId,
    });
  }
  for (const row of rows) {
    // One by one: a row that was taken meanwhile must not keep the others.
    await call.batch(instanceId, isDropped ? dropped(row) : [hidden(call.service, row)]);
  }
}

/** For a growing while, in which no query finds them. */
export async function hide(call: Call, instanceId: string, rows: readonly MessageRow[]): Promise<void> {
  const nowMs = call.service.clock.now();
  for (const row of rows) {
    if (row.visibleAtMs <= nowMs) await call.batch(instanceId, [hidden(call.service, row)]);
  }
}

/** What was dropped may be sent again under its name. */
function dropped({ id, messageId }: MessageRow): readonly BatchOperation[] {
  const row: BatchOperation = { kind: "delete", id };
  if (messageId === undefined) return [row];
  return [row, { kind: "delete", id: messageReceiptDocumentId(messageId) }];
}

function hidden(service: Service, row: MessageRow): BatchOperation {
  const { misses = 0, postponedFromMs = row.visibleAtMs } = row.postponed ?? {};
  const delayMs = Math.min(FIRST_POSTPONED_MS * 2 ** misses, LONGEST_POSTPONED_MS);
  return {
    kind: "set",
    id: row.id,
    values: {
      visibleAt: service.clock.now() + delayMs,
      [NOTES_FIELD]: { postponedFrom: postponedFromMs, misses: misses + 1 },
    },
  };
}
