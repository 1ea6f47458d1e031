/**
 * Messages that no turn may process yet: those of a suspended instance, and those for an instance without a name, a
 * history and a start in the batch (docs/reference/provider-contract.md §6, rule 6). Messages that the contract keeps
 * are hidden for a growing time, so that they hide no other work; the turn with the start includes them, hidden or not
 * (hazard W23).
 */
import { doubledMs, droppedBeforeStart } from "@duroxide-ts/core/stores";
import { NOTES_FIELD } from "../documents/body.ts";
import { messageReceiptDocumentId } from "../documents/ids.ts";
import type { Instance } from "../documents/instance.ts";
import type { MessageRow } from "../documents/rows.ts";
import { hasQueuedStart } from "../leases/queued-start.ts";
import type { Parts, Work } from "../memory/parts.ts";
import { FIRST_POSTPONED_MS, LONGEST_POSTPONED_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import { isStart } from "./to-fetched.ts";

export function lacksContext(instance: Instance | undefined, rows: readonly MessageRow[]): boolean {
  if (rows.some(({ item }) => isStart(item))) return false;
  if (instance === undefined) return true;
  const { document, notes } = instance;
  // An instance that Rust wrote has no notes, and may have a history.
  return document.orchestrationName === "" && notes.lastEventId === 0;
}

/** Arrived before the orchestration started: queue messages are dropped unless a start is queued, the others wait. */
export async function postpone(work: Work, instanceId: string, rows: readonly MessageRow[]): Promise<void> {
  const isEarly = rows.every(({ item }) => item.kind === "QueueMessage");
  const isDropped = isEarly && !(await hasQueuedStart(work, instanceId));
  if (isDropped) {
    work.service.warn(droppedBeforeStart(rows.map(({ item }) => item)), { instanceId });
  }
  for (const row of rows) {
    // One by one, because the refusal of a row that was consumed meanwhile must not stop the others.
    await work.batch(instanceId, isDropped ? dropped(row) : [hidden(work, row)]);
  }
}

/** Hides the rows from queries for a growing time. */
export async function hide(work: Work, instanceId: string, rows: readonly MessageRow[]): Promise<void> {
  const nowMs = work.clock.now();
  for (const row of rows) {
    if (row.visibleAtMs <= nowMs) await work.batch(instanceId, [hidden(work, row)]);
  }
}

/** A dropped message may be sent again under its message id. */
function dropped({ id, messageId }: MessageRow): readonly BatchOperation[] {
  const row: BatchOperation = { kind: "delete", id };
  if (messageId === undefined) return [row];
  return [row, { kind: "delete", id: messageReceiptDocumentId(messageId) }];
}

function hidden(parts: Parts, row: MessageRow): BatchOperation {
  const { misses = 0, postponedFromMs = row.visibleAtMs } = row.postponed ?? {};
  const delayMs = doubledMs(FIRST_POSTPONED_MS, LONGEST_POSTPONED_MS, misses);
  return {
    kind: "set",
    id: row.id,
    values: {
      visibleAt: parts.clock.now() + delayMs,
      [NOTES_FIELD]: { postponedFrom: postponedFromMs, misses: misses + 1 },
    },
  };
}
