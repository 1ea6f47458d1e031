/**
 * Ends an activity: one batch under the ETag of the lock deletes its row and creates the message with its outcome
 * (docs/reference/provider-contract.md §10; hazards W34, W35).
 */
import { type ActivityOutcome, invalidInput, targetInstance } from "@duroxide-ts/core/stores";
import { batchWithClaim } from "../commit/batch-with-claim.ts";
import { TurnClaim } from "../commit/claim-turn.ts";
import { newRow } from "../commit/new-row.ts";
import { deliver } from "../delivering/deliver.ts";
import { checkWorkItem } from "../documents/encode.ts";
import { type Intent, newIntent } from "../documents/intent.ts";
import { messageBody, type NewRow, newMessageRow } from "../documents/rows.ts";
import { ACTIVITY_LEASE } from "../leases/activity-lease.ts";
import { done, findValidLease, LOST, type Outcome, writeUnder } from "../leases/lease.ts";
import { parseActivityToken } from "../leases/lock-token.ts";
import { touchSession } from "../leases/touch-session.ts";
import type { ActivityLease } from "../memory/held.ts";
import { noteSent } from "../memory/note-sent.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { COMMIT_MARGIN_MS, DELIVERY_MS, FIND_LOCK_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";

const OPERATION = "ackWorkItem";

export async function ackWorkItem(parts: Parts, lockToken: string, outcome?: ActivityOutcome): Promise<void> {
  const token = parseActivityToken(OPERATION, lockToken);
  if (outcome !== undefined) checkOutcome(outcome);
  const finding = new Work(parts, OPERATION, FIND_LOCK_MS);
  const lease = await findValidLease(ACTIVITY_LEASE, finding, token);
  const leftMs = lease.lockedUntilMs - parts.clock.now() - COMMIT_MARGIN_MS;
  const work = new Work(parts, OPERATION, Math.max(0, leftMs));
  const completion = outcome === undefined ? undefined : completionOf(parts, lease, outcome);
  await writeUnder(ACTIVITY_LEASE, work, lease, (held) => end(work, held, completion));
  parts.memory.heldActivities.delete(token.secret);
  parts.memory.activities.remove(token.rowId);
  if (completion?.intent !== undefined)
    await deliver(new Work(parts, OPERATION, DELIVERY_MS), [completion.intent]);
  await touchSession(parts, lease);
}

async function end(
  work: Work,
  { instanceId, row }: ActivityLease,
  completion: Completion | undefined,
): Promise<Outcome<true>> {
  const message = completion?.row && newMessageRow(completion.row);
  using claim = message && TurnClaim.forMessage(work, instanceId, message);
  const operations: BatchOperation[] = [{ kind: "delete", id: row.id, ifMatch: row.etag }];
  if (completion !== undefined) operations.push(completion.operation);
  using sending = work.memory.instances.sending(instanceId);
  const { outcome, locked } = await batchWithClaim(work, instanceId, operations, claim);
  // After a lost answer a deleted row was deleted by this call, or the activity was cancelled.
  if (!outcome.ok && !(outcome.repeated && outcome.status === 404)) return LOST;
  if (locked !== undefined) await claim?.won(work, locked);
  else if (message !== undefined) noteSent(work, sending, message, { isNew: outcome.ok });
  return done(true);
}

interface Completion {
  readonly operation: BatchOperation;
  /** Row for the instance of the activity, the usual case. */
  readonly row?: NewRow<ActivityOutcome>;
  /** Intent for another instance. */
  readonly intent?: Intent;
}

function completionOf(
  parts: Parts,
  { instanceId, secret }: ActivityLease,
  item: ActivityOutcome,
): Completion {
  const row = newRow(parts, targetInstance(item).toWellFormed(), item, { nowMs: parts.clock.now() });
  if (row.instanceId !== instanceId) {
    const intent = newIntent(row, { source: instanceId, secret, index: 0 });
    return { operation: { kind: "create", body: intent.body }, intent };
  }
  return { operation: { kind: "create", body: messageBody(row) }, row };
}

function checkOutcome(outcome: ActivityOutcome): void {
  const kind: string = outcome.kind;
  if (kind !== "ActivityCompleted" && kind !== "ActivityFailed") {
    throw invalidInput(
      OPERATION,
      `a ${kind} is no outcome of an activity; use ActivityCompleted or ActivityFailed`,
    );
  }
  checkWorkItem(OPERATION, outcome);
}
