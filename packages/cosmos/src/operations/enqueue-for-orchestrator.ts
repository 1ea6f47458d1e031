/**
 * Adds a message to the queue of an instance; never creates the instance. Retries of the request use one row id, and
 * messages that must not be doubled have a receipt, so that a lost answer leaves one message (hazard W65). A message with
 * a `messageId` has a receipt under that id, so that a second call stores nothing.
 */
import {
  checkItem,
  type EnqueueOptions,
  type EnqueueOutcome,
  isOfAnother,
  later,
  type OrchestratorItem,
  toDurationMs,
  toMessageId,
} from "@duroxide-ts/core/stores";
import { batchWithClaim } from "../commit/batch-with-claim.ts";
import { TurnClaim } from "../commit/claim-turn.ts";
import { newRow } from "../commit/new-row.ts";
import { toMessage } from "../commit/prepared-turn.ts";
import { noteOutcome, sendingOperations, sendToOpen } from "../commit/send-message.ts";
import { startWithTurn } from "../commit/start-with-turn.ts";
import { takenBefore, takenMeanwhile } from "../commit/taken-id.ts";
import { type NewRow, newMessageRow } from "../documents/rows.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { SEND_PATIENCE_MS } from "../memory/waits.ts";

const OPERATION = "enqueueForOrchestrator";

export async function enqueueForOrchestrator(
  parts: Parts,
  item: OrchestratorItem,
  delayMs?: number,
  options?: EnqueueOptions,
): Promise<EnqueueOutcome> {
  checkItem(OPERATION, item);
  const { instanceId } = toMessage(OPERATION, item);
  const messageId = toMessageId(OPERATION, item, options);
  const hiddenForMs = toDurationMs(OPERATION, "delayMs", delayMs ?? 0);
  const nowMs = parts.clock.now();
  const row: NewRow<OrchestratorItem> = {
    ...newRow(parts, instanceId, item, { nowMs, visibleAtMs: later(nowMs, hiddenForMs) }),
    ...(messageId !== undefined && { messageId }),
  };
  const isNewId = options?.isNewId === true;
  if (messageId === undefined && (await startWithTurn(parts, OPERATION, row, { isNewId }))) return "stored";
  const work = new Work(parts, OPERATION, SEND_PATIENCE_MS);
  // A start also locks the first turn, if a fetch of this process waits for it.
  using claim =
    item.kind === "StartOrchestration"
      ? TurnClaim.forMessage(parts, instanceId, newMessageRow(row), isNewId)
      : undefined;
  using sending = parts.memory.instances.sending(instanceId);
  if (options?.ifMissing === "fail") return sendToOpen(work, sending, row);
  const asks = options?.ifTaken === "tell" && !isNewId;
  let taken = asks ? await takenBefore(work, instanceId, claim) : undefined;
  if (taken !== undefined && isOfAnother(taken, item)) return taken;
  const { outcome, locked } = await batchWithClaim(work, instanceId, sendingOperations(row), claim);
  if (locked === undefined && asks && claim !== undefined) {
    taken = await takenMeanwhile(work, instanceId, item, [row.id]);
    if (taken !== undefined && isOfAnother(taken, item)) return taken;
  }
  await noteOutcome(work, sending, row, outcome);
  if (locked !== undefined) await claim?.won(work, locked);
  return taken === undefined ? "stored" : "reused";
}
