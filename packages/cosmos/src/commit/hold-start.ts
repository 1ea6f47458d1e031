/**
 * Holds a start back until no further one of its id comes (docs/decisions/limits.md): its row is hidden until then, and
 * a later start takes its place.
 *
 * - hold-start.H1: The batch of a later start deletes the row before it and creates one with another id. So of two starts
 *   at the same moment one is refused and looks again, and the turn that has taken the deleted row is refused (commit.K2).
 * - hold-start.H2: A start that finds no such row writes the mark of a start, on condition that it is as it was read: of
 *   two first ones one is refused and looks again.
 */
import {
  debouncedSinceMs,
  decodeWorkItem,
  heldStart,
  type OrchestratorItem,
  type StartInstanceOptions,
  type StartOutcome,
  type WorkItemOf,
} from "@duroxide-ts/core/stores";
import { NOTES_FIELD, type Stored } from "../documents/body.ts";
import { instanceDocumentId, startMarkDocumentId } from "../documents/ids.ts";
import { messageBody, newMessageRow, notesOf } from "../documents/rows.ts";
import { hasKind } from "../documents/work-item-kind.ts";
import { expiredReceipt } from "../leases/expired-receipt.ts";
import { noteSent } from "../memory/note-sent.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { SEND_PATIENCE_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import { type PlannedStart, planStart, startMarkBody, startsOf, withStart } from "./planned-start.ts";

const OPERATION = "startInstance";

const BEFORE = `SELECT c.id, c._etag, c.type, c.workItem, c.visibleAt, c.orchestrationName, c.starts, c.${NOTES_FIELD}
  FROM c WHERE c.id IN (@instance, @mark) OR (c.type = 'orch_queue' AND ${hasKind("StartOrchestration")})`;

/** The documents of the id before the start. */
interface Before {
  readonly isTaken: boolean;
  readonly mark: Stored | undefined;
  /** The start that waits, and the time of the first one that it stands for, ms since the epoch. */
  readonly last: { readonly row: Stored; readonly sinceMs: number } | undefined;
}

export async function holdStart(
  parts: Parts,
  start: WorkItemOf<"StartOrchestration">,
  options: StartInstanceOptions & { readonly debounce: NonNullable<StartInstanceOptions["debounce"]> },
): Promise<StartOutcome> {
  const { ifExists, debounce } = options;
  const work = new Work(parts, OPERATION, SEND_PATIENCE_MS);
  const plan = planStart(parts, OPERATION, start, options);
  const { instanceId, messageId, receiptId: id, receipt: body } = plan;
  using sending = parts.memory.instances.sending(instanceId);
  let receipt: BatchOperation = { kind: "create", body };
  for (let attempt = 1; ; attempt++) {
    const { isTaken, mark, last } = await look(work, instanceId);
    // An earlier attempt was stored, and a later restart has deleted its receipt.
    if (messageId !== undefined && startsOf(mark).includes(messageId))
      return { kind: "stored", created: ifExists !== "reuse" };
    const { item, dueAtMs } = heldStart(start, ifExists, debounce, last?.sinceMs, work.clock.now());
    const row = { ...plan.row, item, visibleAtMs: dueAtMs, ...(messageId !== undefined && { messageId }) };
    const outcome = await work.batch(instanceId, [
      receipt,
      last === undefined ? marking(plan, mark) : { kind: "delete", id: last.row.id, ifMatch: last.row._etag },
      { kind: "create", body: messageBody(row) },
    ]);
    if (outcome.ok || (outcome.index === 0 && outcome.repeated)) {
      parts.memory.instances.withdrawn(instanceId, isHeld, work.clock.now());
      noteSent(work, sending, newMessageRow(row), { isNew: outcome.ok });
      return { kind: "stored", created: !isTaken };
    }
    if (outcome.index === 0) {
      const expired = await expiredReceipt(work, instanceId, id, plan.nowMs);
      if (expired === undefined) return { kind: "stored", created: ifExists !== "reuse" };
      receipt = { kind: "replace", id, body, ifMatch: expired._etag };
    }
    await work.again(attempt);
  }
}

async function look(work: Work, instanceId: string): Promise<Before> {
  const ids = { "@instance": instanceDocumentId(instanceId), "@mark": startMarkDocumentId(instanceId) };
  const nowMs = work.clock.now();
  const found = await work.query(instanceId, BEFORE, ids);
  const held = found.flatMap((row) => {
    if (row["type"] !== "orch_queue" || Number(row["visibleAt"]) <= nowMs || isPostponed(row)) return [];
    const sinceMs = sinceMsOf(row);
    return sinceMs === undefined ? [] : [{ row, sinceMs }];
  });
  return {
    isTaken: found.some(takesId),
    mark: found.find(({ type }) => type === "receipt"),
    last: held[0],
  };
}

/** It was due, and is hidden for another reason. */
function isPostponed(row: Stored): boolean {
  return notesOf(row).postponedFrom !== undefined;
}

function takesId({ type, orchestrationName, [NOTES_FIELD]: notes }: Stored): boolean {
  if (type === "orch_queue") return true;
  const isDeleted = (notes as { readonly deletion?: string } | undefined)?.deletion !== undefined;
  return type === "instance" && orchestrationName !== "" && !isDeleted;
}

/** `undefined` also for a row that cannot be decoded: a fetch sets it aside. */
function sinceMsOf({ workItem }: Stored): number | undefined {
  try {
    const item = decodeWorkItem(String(workItem));
    return item.kind === "StartOrchestration" ? debouncedSinceMs(item) : undefined;
  } catch {
    return undefined;
  }
}

function isHeld({ item }: { readonly item: OrchestratorItem }): boolean {
  return debouncedSinceMs(item) !== undefined;
}

function marking({ instanceId, nowMs, messageId }: PlannedStart, mark: Stored | undefined): BatchOperation {
  const body = startMarkBody(instanceId, nowMs, withStart(mark, messageId));
  if (mark === undefined) return { kind: "create", body };
  return { kind: "replace", id: mark.id, body, ifMatch: mark._etag };
}
