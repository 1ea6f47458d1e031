/**
 * Delivers messages to their targets, once each: one batch creates the row and a receipt under its id, so that a
 * repeated delivery is refused even if the first copy was processed already (hazard W40). Messages for one target are
 * delivered one after the other, in the order in which they were sent (hazard W43).
 */
import { type ActivityId, messageOf } from "@duroxide-ts/core/stores";
import { batchWithClaim } from "../commit/batch-with-claim.ts";
import { TurnClaim } from "../commit/claim-turn.ts";
import type { Commit } from "../commit/commit.ts";
import { cancelElsewhere } from "../commit/removed-rows.ts";
import { startWithTurn } from "../commit/start-with-turn.ts";
import type { Body, Stored, Written } from "../documents/body.ts";
import type { Intent } from "../documents/intent.ts";
import { receiptBody } from "../documents/receipt.ts";
import { SEQUENCE_FIELD, toActivityRow, toMessageRow } from "../documents/rows.ts";
import { noteSent } from "../memory/note-sent.ts";
import type { Parts, Work } from "../memory/parts.ts";
import type { UnconfirmedWrite } from "../memory/unconfirmed-writes.ts";
import type { BatchOperation } from "../service/batch.ts";
import { written } from "../service/batch.ts";
import { isPassing } from "../service/failure.ts";
import { removeIntents } from "./remove-intents.ts";
import { isOld, wasDelivered } from "./was-delivered.ts";

/** `isPassing`: the failure was retryable, or the message was not sent because an earlier one for its target failed. */
export interface Undelivered {
  readonly intent: Intent;
  readonly isPassing: boolean;
}

/**
 * Resolves to the messages that did not arrive; the reconciler retries them. `keepsStarts` leaves the
 * intents of starts to a later commit of their sender; all others are deleted here.
 */
export async function deliver(
  work: Work,
  intents: readonly Intent[],
  keepsStarts = false,
): Promise<readonly Undelivered[]> {
  const targets = Map.groupBy(intents, ({ target }) => target);
  const results = await Promise.all([...targets.values()].map((each) => deliverInOrder(work, each)));
  const arrived = results.flatMap((each) => each.arrived);
  const sources = Map.groupBy(arrived, ({ source }) => source);
  for (const [source, done] of sources) {
    const later = keepsStarts ? done.filter(isStart) : [];
    if (later.length > 0) work.memory.delivered.keep(source, later.map(idOf));
    const now = done.filter((each) => !later.includes(each));
    await removeIntents(work, source, now.map(idOf));
  }
  return results.flatMap((each) => each.undelivered);
}

/** Sends what a commit has for other instances. */
export async function sendOn(
  work: Work,
  { instanceId, intents }: Commit,
  cancelled: readonly ActivityId[],
  keepsStarts = false,
): Promise<void> {
  if (intents.length > 0) await deliver(work, intents, keepsStarts);
  await cancelElsewhere(work, instanceId, cancelled);
}

/** A second start of an instance is ignored, also one that Rust delivers, which writes no receipts (hazard W40). */
function isStart({ payload }: Intent): boolean {
  return String(payload["workItem"]).startsWith('{"StartOrchestration"');
}

function idOf({ id }: Intent): string {
  return id;
}

async function deliverInOrder(
  work: Work,
  intents: readonly Intent[],
): Promise<{ readonly arrived: readonly Intent[]; readonly undelivered: readonly Undelivered[] }> {
  for (const [index, intent] of intents.entries()) {
    try {
      if (!(await isThere(work, intent))) await deliverOne(work, intent);
    } catch (error) {
      work.service.warn(`a message is not delivered yet: ${messageOf(error)}`, {
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
async function isThere(work: Work, intent: Intent): Promise<boolean> {
  if (!isOld(intent, work.clock.now()) || !(await wasDelivered(work, intent))) return false;
  const { id, target: instanceId } = intent;
  work.service.warn(`message ${id} is not delivered again: it is old, and its target has it`, { instanceId });
  return true;
}

async function deliverOne(work: Work, { target, source, payload }: Intent): Promise<void> {
  const isMessage = payload["type"] === "orch_queue";
  // A message gets the position of its arrival in the target's queue (hazard W44); all activities have one queue.
  const sequence = work.service.nextSequence();
  const row: Body = isMessage
    ? { ...payload, enqueuedAt: work.clock.now(), [SEQUENCE_FIELD]: sequence }
    : payload;
  const receipt = receiptBody(String(payload["id"]), target, source);
  const message = isMessage ? toMessageRow(asStored(row)) : undefined;
  const start = message && { ...message, instanceId: target, sequence };
  if (start !== undefined && (await startWithTurn(work, work.operation, start, { receipt }))) return;
  const create: BatchOperation[] = [
    { kind: "create", body: receipt },
    { kind: "create", body: row },
  ];
  using claim = message && TurnClaim.forMessage(work, target, message);
  using sending = work.memory.instances.sending(target);
  const { outcome, locked } = await batchWithClaim(work, target, create, claim);
  // A conflict means that the message was delivered before.
  if (outcome.ok) announce(work, sending, row, written(outcome.etags[1], outcome.rids[1]));
  if (locked !== undefined) await claim?.won(work, locked);
}

function announce(parts: Parts, sending: UnconfirmedWrite, row: Body, system: Written): void {
  const stored = { ...asStored(row), ...system };
  if (row["type"] === "worker_queue") {
    parts.memory.activities.put(toActivityRow(stored));
    parts.memory.waitingForActivities.notify();
  } else noteSent(parts, sending, toMessageRow(stored), { isNew: true });
}

function asStored(row: Body): Stored {
  return { ...row, id: String(row["id"]), _etag: "" };
}
