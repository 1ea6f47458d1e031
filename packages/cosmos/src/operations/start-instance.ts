/**
 * Stores a start with its messages, deadline and rule for a taken id (docs/reference/provider-contract.md §10.1,
 * docs/decisions/messages.md), in one batch of its partition. A start that requires a free id also creates a mark, so
 * that one of several concurrent starts is stored.
 */
import {
  checkStartInstance,
  hasEnded,
  isOfAnother,
  ProviderError,
  type StartInstanceOptions,
  type StartOutcome,
  type TakenId,
  type WorkItemOf,
} from "@duroxide-ts/core/stores";
import { finishDeletionOf } from "../admin/deletion.ts";
import { restartInstance } from "../admin/restart-instance.ts";
import { batchWithClaim } from "../commit/batch-with-claim.ts";
import { TurnClaim } from "../commit/claim-turn.ts";
import { holdStart } from "../commit/hold-start.ts";
import { type PlannedStart, planStart, startMarkBody, startsOf, withStart } from "../commit/planned-start.ts";
import { takenBefore, takenBy, takenMeanwhile } from "../commit/taken-id.ts";
import type { Stored } from "../documents/body.ts";
import { startMarkDocumentId } from "../documents/ids.ts";
import { type Instance, isNamed } from "../documents/instance.ts";
import { isForgotten } from "../documents/receipt.ts";
import { messageBody, newMessageRow } from "../documents/rows.ts";
import { expiredReceipt } from "../leases/expired-receipt.ts";
import { queuedStart } from "../leases/queued-start.ts";
import { readInstance } from "../leases/read-instance.ts";
import { storedInstance } from "../leases/stored-instance.ts";
import { noteSent } from "../memory/note-sent.ts";
import { type Parts, Work } from "../memory/parts.ts";
import type { UnconfirmedWrite } from "../memory/unconfirmed-writes.ts";
import { SEND_PATIENCE_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";

const OPERATION = "startInstance";

export async function startInstance(
  parts: Parts,
  start: WorkItemOf<"StartOrchestration">,
  options: StartInstanceOptions,
): Promise<StartOutcome> {
  checkStartInstance(OPERATION, start, options);
  const { debounce } = options;
  if (debounce !== undefined) return holdStart(parts, start, { ...options, debounce });
  const plan = planStart(parts, OPERATION, start, options);
  const work = new Work(parts, OPERATION, SEND_PATIENCE_MS);
  const isNewId = options.isNewId === true;
  if (isNewId || (options.ifExists === "reuse" && options.deadline === undefined))
    return storePlain(work, plan, isNewId);
  let mark: Stored | undefined;
  for (let attempt = 1; ; attempt++) {
    const outcome = await look(work, plan, options.ifExists, mark);
    if (outcome !== "mark") return outcome;
    // The batch of the mark stored a start too. If that start is consumed, the mark is left over.
    mark = await work.read(plan.instanceId, startMarkDocumentId(plan.instanceId));
    await work.again(attempt);
  }
}

function waiting(orchestration: string | undefined): TakenId | undefined {
  return orchestration === undefined ? undefined : { orchestration, status: "Queued" };
}

/** `mark`: another start that requires a free id came first. */
async function look(
  work: Work,
  plan: PlannedStart,
  ifExists: StartInstanceOptions["ifExists"],
  mark: Stored | undefined,
): Promise<StartOutcome | "mark"> {
  const { instanceId } = plan;
  // In this order, because the turn that consumes the start names the instance.
  const queued = await queuedStart(work, instanceId);
  const found = await instanceOf(work, instanceId);
  const taken = found === undefined ? waiting(queued) : takenBy(found);
  if (taken === undefined) return storeMarked(work, plan, mark);
  if (ifExists === "reuse") {
    if (isOfAnother(taken, plan.start)) return { kind: "exists", ...taken };
    return storePlain(work, { ...plan, rows: plan.rowsWithoutDeadline });
  }
  if (await isStored(work, plan)) return { kind: "stored", created: true };
  if (found === undefined || ifExists === "fail" || !hasEnded(taken.status))
    return { kind: "exists", ...taken };
  return (await restartInstance(work, found, plan)) ? { kind: "stored", created: true } : "mark";
}

/** Completes a deletion of the instance first. */
async function instanceOf(work: Work, instanceId: string): Promise<Instance | undefined> {
  for (let attempt = 1; ; attempt++) {
    const instance = await readInstance(work, instanceId);
    if (instance !== undefined) return isNamed(instance) ? instance : undefined;
    const stored = await storedInstance(work, instanceId);
    if (stored !== undefined && stored.notes.deletion === undefined) return undefined;
    if (await finishDeletionOf(work, instanceId)) {
      await work.again(attempt);
      continue;
    }
    if (stored === undefined) return undefined;
    throw new ProviderError({
      code: "unavailable",
      operation: OPERATION,
      message: `instance ${JSON.stringify(instanceId)} is being deleted; try again`,
    });
  }
}

/** Whether an earlier call with the message id, maybe of another process, stored this start. */
async function isStored(work: Work, plan: PlannedStart): Promise<boolean> {
  const { instanceId, messageId, receiptId, nowMs } = plan;
  await work.fence(instanceId);
  const receipt = await work.read(instanceId, receiptId);
  if (receipt !== undefined) return !isForgotten(receipt, nowMs);
  if (messageId === undefined) return false;
  return startsOf(await work.read(instanceId, startMarkDocumentId(instanceId))).includes(messageId);
}

/** The batch also locks the first turn, if a fetch of this process waits for it. Nothing has a new id. */
async function storePlain(work: Work, plan: PlannedStart, isNewId = false): Promise<StartOutcome> {
  const { start, instanceId, row, rows } = plan;
  using sending = work.memory.instances.sending(instanceId);
  using claim = TurnClaim.forMessage(work, instanceId, newMessageRow(row));
  let taken = isNewId ? undefined : await takenBefore(work, instanceId, claim);
  if (taken !== undefined && isOfAnother(taken, start)) return { kind: "exists", ...taken };
  const { outcome, locked } = await batchWithClaim(work, instanceId, creations(plan), claim);
  if (locked !== undefined) {
    const answer = stored(work, sending, plan, { isNew: outcome.ok, created: taken === undefined });
    await claim?.won(work, locked);
    return answer;
  }
  if (outcome.ok && claim !== undefined && !isNewId) {
    const ids = [plan.receiptId, ...rows.map(({ id }) => id)];
    taken = await takenMeanwhile(work, instanceId, start, ids);
    if (taken !== undefined && isOfAnother(taken, start)) return { kind: "exists", ...taken };
  }
  const created = taken === undefined;
  if (outcome.ok || outcome.repeated) return stored(work, sending, plan, { isNew: outcome.ok, created });
  const forgotten = await expiredReceipt(work, instanceId, plan.receiptId, plan.nowMs);
  if (forgotten === undefined) return stored(work, sending, plan, { isNew: false, created: false });
  const { id, _etag: ifMatch } = forgotten;
  const renamed: BatchOperation = { kind: "replace", id, body: plan.receipt, ifMatch };
  const again = await work.batch(instanceId, [renamed, ...creations(plan).slice(1)]);
  return stored(work, sending, plan, { isNew: again.ok, created });
}

async function storeMarked(
  work: Work,
  plan: PlannedStart,
  mark: Stored | undefined,
): Promise<StartOutcome | "mark"> {
  const { instanceId } = plan;
  const body = startMarkBody(instanceId, plan.nowMs, withStart(mark, plan.messageId));
  const marking: BatchOperation =
    mark === undefined
      ? { kind: "create", body }
      : { kind: "replace", id: mark.id, body, ifMatch: mark._etag };
  const operations = [...creations(plan), marking];
  using sending = work.memory.instances.sending(instanceId);
  const outcome = await work.batch(instanceId, operations);
  if (outcome.ok) return stored(work, sending, plan, { isNew: true, created: true });
  // Refused by anything but its own receipt: by the mark of another start, or by its deadline, which has the same id.
  return outcome.index === 0 ? stored(work, sending, plan, { isNew: false, created: true }) : "mark";
}

/** The receipt comes first: if it exists, an earlier attempt was stored. */
function creations({ receipt, rows }: PlannedStart): readonly BatchOperation[] {
  return [
    { kind: "create", body: receipt },
    ...rows.map((row): BatchOperation => ({ kind: "create", body: messageBody(row) })),
  ];
}

function stored(
  parts: Parts,
  sending: UnconfirmedWrite,
  { rows }: PlannedStart,
  { isNew, created }: { readonly isNew: boolean; readonly created: boolean },
): StartOutcome {
  for (const row of rows) noteSent(parts, sending, newMessageRow(row), { isNew });
  return { kind: "stored", created };
}
