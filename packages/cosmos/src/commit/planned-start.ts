/** The documents of a start: a receipt, its row, those of its messages, and that of its deadline. */
import {
  later,
  type OrchestratorItem,
  type StartInstanceOptions,
  toDurationMs,
  toMessageId,
  type WorkItemOf,
} from "@duroxide-ts/core/stores";
import type { Body } from "../documents/body.ts";
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

/** Deleted with its instance, as are the message ids. */
export function startMarkBody(instanceId: string, nowMs: number): Body {
  return {
    id: startMarkDocumentId(instanceId),
    instanceId,
    type: "receipt",
    source: instanceId,
    messageId: "",
    sentAt: nowMs,
    ttl: START_MARK_TTL_SECONDS,
  };
}
