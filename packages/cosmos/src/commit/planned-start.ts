/** The documents of a start: a receipt, its row, those of its messages, and that of its deadline. */
import {
  later,
  type OrchestratorItem,
  type StartInstanceOptions,
  toDurationMs,
  toMessageId,
  type WorkItemOf,
} from "@duroxide-ts/core/stores";
import type { Body, Stored } from "../documents/body.ts";
import { startMarkDocumentId } from "../documents/ids.ts";
import { namedReceiptBody, receiptBody } from "../documents/receipt.ts";
import type { NewRow } from "../documents/rows.ts";
import type { Parts } from "../memory/parts.ts";
import { START_MARK_TTL_SECONDS } from "../memory/waits.ts";
import { newRow } from "./new-row.ts";
import { toMessage } from "./prepared-turn.ts";

export interface PlannedStart {
  readonly start: WorkItemOf<"StartOrchestration">;
  readonly instanceId: string;
  readonly nowMs: number;
  /** The sender's id of the start, as it is stored. */
  readonly messageId: string | undefined;
  readonly receiptId: string;
  readonly receipt: Body;
  /** Row of the start itself, the first of all. */
  readonly row: NewRow<OrchestratorItem>;
  readonly rows: readonly NewRow<OrchestratorItem>[];
  readonly rowsWithoutDeadline: readonly NewRow<OrchestratorItem>[];
}

export function planStart(
  parts: Parts,
  operation: string,
  start: WorkItemOf<"StartOrchestration">,
  options: StartInstanceOptions,
): PlannedStart {
  const messageId = toMessageId(operation, start, options);
  const { deadline } = options;
  const delayMs = toDurationMs(operation, "deadline.delayMs", deadline?.delayMs ?? 0);
  const nowMs = parts.clock.now();
  const toRow = (item: OrchestratorItem, visibleAtMs?: number): NewRow<OrchestratorItem> =>
    newRow(parts, toMessage(operation, item).instanceId, item, { nowMs, visibleAtMs });
  const row = toRow(start);
  const rowsWithoutDeadline = [row, ...options.messages.map((item) => toRow(item))];
  const rows =
    deadline === undefined
      ? rowsWithoutDeadline
      : [...rowsWithoutDeadline, toRow(deadline.item, later(nowMs, delayMs))];
  const { id, instanceId } = row;
  const receipt =
    messageId === undefined
      ? receiptBody(id, instanceId, instanceId)
      : namedReceiptBody(messageId, instanceId, nowMs);
  const receiptId = String(receipt["id"]);
  return { start, instanceId, nowMs, messageId, receiptId, receipt, row, rows, rowsWithoutDeadline };
}

/** More starts than follow each other under an id while one of them is sent again. */
const MOST_STARTS = 20;

/**
 * The mark of a start, with the message ids of the last ones. A restart deletes the receipts of the instance and not these:
 * a call whose answer was lost may come back when its start has run, and a later restart has deleted its receipt. Deleted
 * with its instance, as are the message ids.
 */
export function startMarkBody(instanceId: string, nowMs: number, starts: readonly string[]): Body {
  return {
    id: startMarkDocumentId(instanceId),
    instanceId,
    type: "receipt",
    source: instanceId,
    messageId: "",
    sentAt: nowMs,
    starts: starts.slice(0, MOST_STARTS),
    ttl: START_MARK_TTL_SECONDS,
  };
}

/** The message ids of a mark, the last one first. */
export function startsOf(mark: Stored | undefined): readonly string[] {
  const starts = mark?.["starts"];
  return Array.isArray(starts) ? starts.map(String) : [];
}

/** The same with this start. */
export function withStart(mark: Stored | undefined, messageId: string | undefined): readonly string[] {
  return messageId === undefined ? startsOf(mark) : [messageId, ...startsOf(mark)];
}
