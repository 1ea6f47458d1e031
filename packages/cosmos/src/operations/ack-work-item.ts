/**
 * Ends an activity: its row goes and its outcome comes, in one batch under the ETag of the lock (docs/reference/
 * provider-contract.md §10; hazards W34, W35).
 */
import { type ActivityOutcome, invalidInput, targetInstance } from "@duroxide-ts/core/stores";
import { batchWithClaim } from "../claims/batch-with-claim.ts";
import { TurnClaim } from "../claims/claim-turn.ts";
import { checkWorkItem } from "../encode.ts";
import { parseActivityToken } from "../lock-token.ts";
import { deliver } from "../outbox/deliver.ts";
import { type Intent, newIntent } from "../outbox/intent.ts";
import type { BatchOperation } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { messageBody, type NewRow, newMessageRow } from "../schema/rows.ts";
import { touchSession } from "../sessions/touch-session.ts";
import { sent } from "../store/sent.ts";
import type { Store } from "../store/store.ts";
import { findActivityAgain, findValidActivity } from "../work/find-held-activity.ts";
import type { HeldActivity } from "../work/held-activity.ts";

const OPERATION = "ackWorkItem";

const MARGIN_MS = 200;
const DELIVERY_MS = 2_000;

export async function ackWorkItem(store: Store, lockToken: string, outcome?: ActivityOutcome): Promise<void> {
  const token = parseActivityToken(OPERATION, lockToken);
  if (outcome !== undefined) checkOutcome(outcome);
  const { requests, clock } = store;
  let held = await findValidActivity(store, requests.call(OPERATION, 1_000), token);
  const call = requests.call(OPERATION, Math.max(0, held.lockedUntilMs - clock.now() - MARGIN_MS));
  const completion = outcome === undefined ? undefined : completionOf(store, held, outcome);
  while (!(await end(store, call, held, completion))) held = await findActivityAgain(store, call, token);
  store.activities.delete(held.secret);
  store.ready.remove(held.row.id);
  if (completion?.intent !== undefined)
    await deliver(store, requests.call(OPERATION, DELIVERY_MS), [completion.intent]);
  await touchSession(store, held);
}

/** False where the row was written meanwhile. */
async function end(
  store: Store,
  call: Call,
  { instanceId, row }: HeldActivity,
  completion: Completion | undefined,
): Promise<boolean> {
  const message = completion?.row;
  using claim = message && TurnClaim.forMessage(store, instanceId, newMessageRow(message));
  const operations: BatchOperation[] = [{ kind: "delete", id: row.id, ifMatch: row.etag }];
  if (completion !== undefined) operations.push(completion.operation);
  const { outcome, locked } = await batchWithClaim(store, call, instanceId, operations, claim);
  // After a lost answer a row that is gone is the row that this call removed, or one that nobody wants any more.
  if (!outcome.ok && !(outcome.repeated && outcome.status === 404)) return false;
  if (locked !== undefined) await claim?.won(call, locked);
  else if (message !== undefined) sent(store, message, outcome.ok ? "now" : "before");
  return true;
}

interface Completion {
  readonly operation: BatchOperation;
  /** For the instance of the activity, as is the rule. */
  readonly row?: NewRow<ActivityOutcome>;
  /** For another one. */
  readonly intent?: Intent;
}

function completionOf(store: Store, { instanceId, secret }: HeldActivity, item: ActivityOutcome): Completion {
  const target = targetInstance(item).toWellFormed();
  const nowMs = store.clock.now();
  const queued = { visibleAtMs: nowMs, enqueuedAtMs: nowMs, sequence: store.nextSequence() };
  if (target !== instanceId) {
    const intent = newIntent(store, { source: instanceId, target, secret, index: 0, item, ...queued });
    return { operation: { kind: "create", body: intent.body }, intent };
  }
  const row = { id: store.random.uuid(), instanceId, item, ...queued };
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
