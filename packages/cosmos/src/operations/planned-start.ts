/** The documents of a start: a receipt, its row, those of its messages, and that of its deadline. */
import {
  later,
  type OrchestratorItem,
  type StartInstanceOptions,
  toDurationMs,
  toMessageId,
  type WorkItemOf,
} from "@duroxide-ts/core/stores";
import { namedReceiptBody, receiptBody } from "../outbox/receipt.ts";
import type { Body } from "../requests/batch.ts";
import { startMarkDocumentId } from "../schema/ids.ts";
import type { NewRow } from "../schema/rows.ts";
import type { Store } from "../store/store.ts";
import { toMessage } from "../turn/turn.ts";

export interface PlannedStart {
  readonly instanceId: string;
  readonly nowMs: number;
  readonly receiptId: string;
  readonly receipt: Body;
  readonly rows: readonly NewRow<OrchestratorItem>[];
  readonly rowsWithoutDeadline: readonly NewRow<OrchestratorItem>[];
}

/** Longer than two starts can be under way at once. */
const MARK_TTL_SECONDS = 3_600;

export function planStart(
  store: Store,
  operation: string,
  start: WorkItemOf<"StartOrchestration">,
  options: StartInstanceOptions,
): PlannedStart {
  const messageId = toMessageId(operation, options);
  const { deadline } = options;
  const delayMs = toDurationMs(operation, "deadline.delayMs", deadline?.delayMs ?? 0);
  const nowMs = store.clock.now();
  const toRow = (item: OrchestratorItem, visibleAtMs: number): NewRow<OrchestratorItem> => ({
    id: store.random.uuid(),
    instanceId: toMessage(operation, item).instanceId,
    item,
    visibleAtMs,
    enqueuedAtMs: nowMs,
    sequence: store.nextSequence(),
  });
  const startRow = toRow(start, nowMs);
  const rowsWithoutDeadline = [startRow, ...options.messages.map((item) => toRow(item, nowMs))];
  const rows =
    deadline === undefined
      ? rowsWithoutDeadline
      : [...rowsWithoutDeadline, toRow(deadline.item, later(nowMs, delayMs))];
  const { id, instanceId } = startRow;
  const receipt =
    messageId === undefined
      ? receiptBody(id, instanceId, instanceId)
      : namedReceiptBody(messageId, instanceId, nowMs);
  return { instanceId, nowMs, receiptId: String(receipt["id"]), receipt, rows, rowsWithoutDeadline };
}

/** Goes with its instance, as the names of messages do. */
export function startMarkBody(instanceId: string, nowMs: number): Body {
  return {
    id: startMarkDocumentId(instanceId),
    instanceId,
    type: "receipt",
    source: instanceId,
    messageId: "",
    sentAt: nowMs,
    ttl: MARK_TTL_SECONDS,
  };
}
