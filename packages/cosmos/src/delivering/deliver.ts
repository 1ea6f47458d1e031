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
import type { BatchOperation } from "../service/batch.ts";
import { written } from "../service/batch.ts";
import type { Call } from "../service/service.ts";
import type { DeliveredIntents } from "./delivered-intents.ts";
import { removeIntents } from "./remove-intents.ts";
import { isOld, wasDelivered } from "./was-delivered.ts";

/**
 * Resolves to the delivered messages. The reconciler retries the others. `kept` deletes the intents of starts with a
 * later commit of their sender; all others are deleted here.
 */
export async function deliver(
  memory: Memory,
  queues: FetchQueues,
  call: Call,
  intents: readonly Intent[],
  kept?: DeliveredIntents,
): Promise<readonly Intent[]> {
  const targets = Map.groupBy(intents, ({ target }) => target);
  const delivered = await Promise.all(
    [...targets.values()].map((each) => deliverInOrder(memory, queues, call, each)),
  );
  const arrived = delivered.flat();
  const sources = Map.groupBy(arrived, ({ source }) => source);
  for (const [source, done] of sources) {
    const later = kept === undefined ? [] : done.filter(isStart);
    if (later.length > 0) kept?.keep(source, later.map(idOf));
    const now = done.filter((each) => !later.includes(each));
    await removeIntents(memory, call, source, now.map(idOf));
  }
  return arrived;
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
): Promise<Intent[]> {
  const arrived: Intent[] = [];
  for (const intent of intents) {
    try {
      if (!(await isThere(call, intent))) await deliverOne(memory, queues, call, intent);
    } catch (error) {
      call.service.warn(`a message is not delivered yet: ${messageOf(error)}`, {
        instanceId: intent.target,
      });
      return arrived;
    }
    arrived.push(intent);
  }
  return arrived;
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
  const { outcome, locked } = await batchWithClaim(memory, call, target, create, claim);
  // A conflict means that the message was delivered before.
  if (outcome.ok) announce(memory, target, row, written(outcome.etags[1], outcome.rids[1]));
  if (locked !== undefined) await claim?.won(call, locked);
}

function announce(memory: Memory, target: string, row: Body, system: Written): void {
  const stored = { ...asStored(row), ...system };
  if (row["type"] === "worker_queue") {
    memory.activities.put(toActivityRow(stored));
    memory.activities.changed.notify();
  } else {
    memory.instances.wrote(target, toMessageRow(stored));
    memory.turns.changed.notify();
  }
}

function asStored(row: Body): Stored {
  return { ...row, id: String(row["id"]), _etag: "" };
}
