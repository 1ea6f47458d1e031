/**
 * Delivers messages to their targets, once each: one batch creates the row and a receipt under its id, so that a
 * repeated delivery is refused even if the first copy was processed already (hazard W40). Messages for one target are
 * delivered one after the other, in the order in which they were sent (hazard W43).
 */
import { messageOf } from "@duroxide-ts/core/stores";
import { batchWithClaim } from "../commit/batch-with-claim.ts";
import { TurnClaim } from "../commit/claim-turn.ts";
import type { Body, Stored, Written } from "../documents/body.ts";
import type { Intent } from "../documents/intent.ts";
import { receiptBody } from "../documents/receipt.ts";
import { SEQUENCE_FIELD, toActivityRow, toMessageRow } from "../documents/rows.ts";
import type { FetchQueues } from "../fetching/fetch-queues.ts";
import type { Memory } from "../memory/memory.ts";
import { noteSent } from "../memory/note-sent.ts";
import type { UnconfirmedWrite } from "../memory/unconfirmed-writes.ts";
import type { BatchOperation } from "../service/batch.ts";
import { written } from "../service/batch.ts";
import { isPassing } from "../service/failure.ts";
import type { Call } from "../service/service.ts";
import type { DeliveredIntents } from "./delivered-intents.ts";
import { removeIntents } from "./remove-intents.ts";
import { isOld, wasDelivered } from "./was-delivered.ts";

/** `isPassing`: the failure was retryable, or the message was not sent because an earlier one for its target failed. */
export interface Undelivered {
  readonly intent: Intent;
  readonly isPassing: boolean;
}

/**
 * Resolves to the messages that did not arrive; the reconciler retries them. `kept` deletes the intents of starts with a
 * later commit of their sender; all others are deleted here.
 */
export async function deliver(
  memory: Memory,
  queues: FetchQueues,
  call: Call,
  intents: readonly Intent[],
  kept?: DeliveredIntents,
): Promise<readonly Undelivered[]> {
  const targets = Map.groupBy(intents, ({ target }) => target);
  const results = await Promise.all(
    [...targets.values()].map((each) => deliverInOrder(memory, queues, call, each)),
  );
  const arrived = results.flatMap((each) => each.arrived);
  const sources = Map.groupBy(arrived, ({ source }) => source);
  for (const [source, done] of sources) {
    const later = kept === undefined ? [] : done.filter(isStart);
    if (later.length > 0) kept?.keep(source, later.map(idOf));
    const now = done.filter((each) => !later.includes(each));
    await removeIntents(memory, call, source, now.map(idOf));
  }
  return results.flatMap((each) => each.undelivered);
}

/** A second start of an instance is ignored, also one that Rust delivers, which writes no receipts (hazard W40). */
function isStart({ payload }: Intent): boolean {
  return String(payload["workItem"]).startsWith('{"StartOrchestration"');
}

function idOf({ id }: Intent): string {
  return id;
}

async function deliverInOrder(
  memory: Memory,
  queues: FetchQueues,
  call: Call,
  intents: readonly Intent[],
): Promise<{ readonly arrived: readonly Intent[]; readonly undelivered: readonly Undelivered[] }> {
  for (const [index, intent] of intents.entries()) {
    try {
      if (!(await isThere(call, intent))) await deliverOne(memory, queues, call, intent);
    } catch (error) {
      call.service.warn(`a message is not delivered yet: ${messageOf(error)}`, {
        instanceId: intent.target,
      });
      const behind = intents.slice(index + 1).map((each) => ({ intent: each, isPassing: true }));
      const failed = { intent, isPassing: isPassing(error) };
      return { arrived: intents.slice(0, index), undelivered: [failed, ...behind] };
    }
  }
  return { arrived: intents, undelivered: [] };
}

/** Whether an old message arrived before; its receipt may have expired. */
async function isThere(call: Call, intent: Intent): Promise<boolean> {
  if (!isOld(intent, call.service.clock.now()) || !(await wasDelivered(call, intent))) return false;
  const { id, target: instanceId } = intent;
  call.service.warn(`message ${id} is not delivered again: it is old, and its target has it`, { instanceId });
  return true;
}

async function deliverOne(
  memory: Memory,
  queues: FetchQueues,
  call: Call,
  { target, source, payload }: Intent,
): Promise<void> {
  const isMessage = payload["type"] === "orch_queue";
  // A message gets the position of its arrival in the target's queue (hazard W44); all activities have one queue.
  const row: Body = isMessage
    ? { ...payload, enqueuedAt: call.service.clock.now(), [SEQUENCE_FIELD]: call.service.nextSequence() }
    : payload;
  const create: BatchOperation[] = [
    { kind: "create", body: receiptBody(String(payload["id"]), target, source) },
    { kind: "create", body: row },
  ];
  using claim = isMessage
    ? TurnClaim.forMessage(call.service, memory, queues, target, toMessageRow(asStored(row)))
    : undefined;
  using sending = memory.instances.sending(target);
  const { outcome, locked } = await batchWithClaim(memory, call, target, create, claim);
  // A conflict means that the message was delivered before.
  if (outcome.ok) announce(memory, sending, row, written(outcome.etags[1], outcome.rids[1]));
  if (locked !== undefined) await claim?.won(call, locked);
}

function announce(memory: Memory, sending: UnconfirmedWrite, row: Body, system: Written): void {
  const stored = { ...asStored(row), ...system };
  if (row["type"] === "worker_queue") {
    memory.activities.put(toActivityRow(stored));
    memory.activities.changed.notify();
  } else noteSent(memory, sending, toMessageRow(stored), { isNew: true });
}

function asStored(row: Body): Stored {
  return { ...row, id: String(row["id"]), _etag: "" };
}
