/**
 * Delivers messages to their targets, once each: one batch creates the row and a receipt under its id, so that a
 * repeated delivery is refused even if the first copy was processed already (hazard W40). Messages for one target are
 * delivered one after the other, in the order in which they were sent (hazard W43).
 */
import type { ProviderError } from "@duroxide-ts/core";
import { messageOf } from "@duroxide-ts/core/stores";
import { batchWithClaim } from "../commit/batch-with-claim.ts";
import { TurnClaim } from "../commit/claim-turn.ts";
import type { Body, Stored, Written } from "../documents/body.ts";
import type { Intent } from "../documents/intent.ts";
import { receiptBody } from "../documents/receipt.ts";
import { SEQUENCE_FIELD, toActivityRow, toMessageRow } from "../documents/rows.ts";
import type { FetchQueues } from "../fetching/fetch-queues.ts";
import type { Memory } from "../memory/memory.ts";
import { isRefusal } from "../memory/refused-writes.ts";
import type { BatchOperation } from "../service/batch.ts";
import { MAX_OPERATIONS, written } from "../service/batch.ts";
import type { Call } from "../service/service.ts";
import { unfinishedKey } from "../service/unfinished.ts";
import { isOld, wasDelivered } from "./was-delivered.ts";

/** Resolves to the delivered messages. The reconciler retries the others. */
export async function deliver(
  memory: Memory,
  queues: FetchQueues,
  call: Call,
  intents: readonly Intent[],
): Promise<readonly Intent[]> {
  const targets = Map.groupBy(intents, ({ target }) => target);
  const delivered = await Promise.all(
    [...targets.values()].map((each) => deliverInOrder(memory, queues, call, each)),
  );
  const arrived = delivered.flat();
  const sources = Map.groupBy(arrived, ({ source }) => source);
  for (const [source, done] of sources) await removeIntents(memory, call, source, done);
  return arrived;
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

async function removeIntents(
  memory: Memory,
  call: Call,
  source: string,
  done: readonly Intent[],
): Promise<void> {
  for (let from = 0; from < done.length; from += MAX_OPERATIONS) {
    await removeTogether(memory, call, source, done.slice(from, from + MAX_OPERATIONS));
  }
}

/**
 * An intent that another process has removed fails the batch, and the others are then removed one by one. What is not
 * removed stays; the reconciler finds that it was delivered, and removes it.
 */
async function removeTogether(
  memory: Memory,
  call: Call,
  source: string,
  intents: readonly Intent[],
): Promise<void> {
  const operations = intents.map(({ id }): BatchOperation => ({ kind: "delete", id }));
  try {
    const outcome = await call.batch(source, operations);
    if (!outcome.ok && operations.length > 1) {
      for (const operation of operations) await call.batch(source, [operation]);
    }
    for (const key of [source, ...intents.map(({ id }) => unfinishedKey(source, id))])
      memory.refusedIntents.delete(key);
  } catch (error) {
    // Without a response the next pass retries at once.
    if (isRefusal(error)) noteRefusedRemoval(memory, call, source, intents, error);
  }
}

/** The reconciler leaves them alone for a growing time. Reported once for each sender, until a removal succeeds. */
function noteRefusedRemoval(
  memory: Memory,
  { operation, service }: Call,
  instanceId: string,
  intents: readonly Intent[],
  error: ProviderError,
): void {
  const { refusedIntents } = memory;
  const nowMs = service.clock.now();
  for (const { id } of intents) refusedIntents.add(unfinishedKey(instanceId, id), nowMs);
  if (refusedIntents.has(instanceId)) return;
  refusedIntents.add(instanceId, nowMs);
  const what = `${intents.length} delivered message(s) for other instances cannot be removed (${operation})`;
  service.warn(`${what}: ${error.detail}; the removal is tried again`, { instanceId });
}
