/**
 * Puts a message into an instance's queue; never creates the instance. The row has one id however often the request
 * is repeated, and messages whose number matters have a receipt beside them, so a lost answer leaves one message
 * (hazard W65).
 */
import type { OrchestratorItem } from "@duroxide-ts/core";
import { later, toDurationMs } from "@duroxide-ts/core/stores";
import { receiptBody } from "../outbox/receipt.ts";
import type { BatchOperation } from "../requests/batch.ts";
import { messageBody, type NewRow } from "../schema/rows.ts";
import { sent } from "../store/sent.ts";
import type { Store } from "../store/store.ts";
import { toMessage } from "../turn/turn.ts";

const OPERATION = "enqueueForOrchestrator";

const PATIENCE_MS = 10_000;

export async function enqueueForOrchestrator(
  store: Store,
  item: OrchestratorItem,
  delayMs?: number,
): Promise<void> {
  const { instanceId } = toMessage(OPERATION, item);
  const hiddenForMs = toDurationMs(OPERATION, "delayMs", delayMs ?? 0);
  const { requests, clock, random } = store;
  const row = {
    id: random.uuid(),
    instanceId,
    item,
    visibleAtMs: later(clock.now(), hiddenForMs),
    enqueuedAtMs: clock.now(),
    sequence: store.nextSequence(),
  };
  const outcome = await requests.batch(requests.call(OPERATION, PATIENCE_MS), instanceId, operationsFor(row));
  sent(store, row, outcome.ok ? "now" : "before");
}

/** Starts, completions and cancellations change nothing when they come twice; events and queue messages do. */
function operationsFor(row: NewRow<OrchestratorItem>): readonly BatchOperation[] {
  const message: BatchOperation = { kind: "create", body: messageBody(row) };
  const { kind } = row.item;
  if (kind !== "ExternalRaised" && kind !== "QueueMessage") return [message];
  return [message, { kind: "create", body: receiptBody(row.id, row.instanceId, row.instanceId) }];
}
