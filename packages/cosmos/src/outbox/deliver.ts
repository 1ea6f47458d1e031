/**
 * Brings messages to their targets, once each: the row and a receipt under its id are created in one batch, so that a
 * repeated delivery is refused even when the first copy was processed already (hazard W40). Messages for one target
 * go one after the other, in the order in which they were sent (hazard W43).
 */

import { batchWithClaim } from "../claims/batch-with-claim.ts";
import { TurnClaim } from "../claims/claim-turn.ts";
import { messageOf } from "../message-of.ts";
import type { BatchOperation, Body } from "../requests/batch.ts";
import { MAX_OPERATIONS, type Written, written } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import type { Stored } from "../requests/requests.ts";
import { SEQUENCE_FIELD, toActivityRow, toMessageRow } from "../schema/rows.ts";
import type { Store } from "../store/store.ts";
import type { Intent } from "./intent.ts";
import { receiptBody } from "./receipt.ts";

/** Resolves to those that arrived. Whatever hinders the others stays with the reconciler. */
export async function deliver(
  store: Store,
  call: Call,
  intents: readonly Intent[],
): Promise<readonly Intent[]> {
  const targets = Map.groupBy(intents, ({ target }) => target);
  const delivered = await Promise.all([...targets.values()].map((each) => deliverInOrder(store, call, each)));
  const arrived = delivered.flat();
  const sources = Map.groupBy(arrived, ({ source }) => source);
  for (const [source, done] of sources) await removeIntents(store, call, source, done);
  return arrived;
}

async function deliverInOrder(store: Store, call: Call, intents: readonly Intent[]): Promise<Intent[]> {
  const arrived: Intent[] = [];
  for (const intent of intents) {
    try {
      await deliverOne(store, call, intent);
    } catch (error) {
      store.settings.onWarning(`a message is not delivered yet: ${messageOf(error)}`, {
        instanceId: intent.target,
      });
      return arrived;
    }
    arrived.push(intent);
  }
  return arrived;
}

async function deliverOne(store: Store, call: Call, { target, source, payload }: Intent): Promise<void> {
  const isMessage = payload["type"] === "orch_queue";
  // A message's place in the target's queue is that of its arrival (hazard W44); activities have one queue for all.
  const row: Body = isMessage
    ? { ...payload, enqueuedAt: store.clock.now(), [SEQUENCE_FIELD]: store.nextSequence() }
    : payload;
  const create: BatchOperation[] = [
    { kind: "create", body: receiptBody(String(payload["id"]), target, source) },
    { kind: "create", body: row },
  ];
  using claim = isMessage ? TurnClaim.forMessage(store, target, toMessageRow(asStored(row))) : undefined;
  const { outcome, locked } = await batchWithClaim(store, call, target, create, claim);
  // A conflict is a delivery that happened before.
  if (outcome.ok) announce(store, target, row, written(outcome.etags[1], outcome.rids[1]));
  if (locked !== undefined) await claim?.won(call, locked);
}

function announce(store: Store, target: string, row: Body, system: Written): void {
  const stored = { ...asStored(row), ...system };
  if (row["type"] === "worker_queue") {
    store.ready.add(toActivityRow(stored));
    store.activitiesWanted.notify();
  } else {
    store.knowledge.wrote(target, toMessageRow(stored));
    store.turnsWanted.notify();
  }
}

function asStored(row: Body): Stored {
  return { ...row, id: String(row["id"]), _etag: "" };
}

async function removeIntents(
  store: Store,
  call: Call,
  source: string,
  done: readonly Intent[],
): Promise<void> {
  const operations = done.map(({ id }): BatchOperation => ({ kind: "delete", id }));
  for (let from = 0; from < operations.length; from += MAX_OPERATIONS) {
    await removeTogether(store, call, source, operations.slice(from, from + MAX_OPERATIONS));
  }
}

/**
 * One that somebody else removed already spoils the batch for the others, which then go one by one. Where the service
 * does not answer they stay: the reconciler finds them delivered, and removes them.
 */
async function removeTogether(
  store: Store,
  call: Call,
  source: string,
  operations: readonly BatchOperation[],
): Promise<void> {
  const outcome = await store.requests.batch(call, source, operations).catch(() => undefined);
  if (outcome === undefined || outcome.ok || operations.length === 1) return;
  for (const operation of operations)
    await store.requests.batch(call, source, [operation]).catch(() => undefined);
}
