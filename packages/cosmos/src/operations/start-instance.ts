/**
 * A start with what belongs to it, and what if its id is taken (docs/reference/provider-contract.md §10.1,
 * docs/decisions/0025). A start is one batch of its partition. One that looks first whether its id is free creates a
 * mark as well, so that of several at once one is stored.
 */
import {
  checkStartInstance,
  ProviderError,
  type StartInstanceOptions,
  type StartOutcome,
  type WorkItemOf,
} from "@duroxide-ts/core/stores";
import { finishDeletionOf } from "../admin/delete-instances.ts";
import { deleteQueuedStarts } from "../admin/queued-starts.ts";
import { restartInstance } from "../admin/restart-instance.ts";
import { isForgotten } from "../outbox/receipt.ts";
import type { BatchOperation } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import type { Stored } from "../requests/requests.ts";
import { startMarkDocumentId } from "../schema/ids.ts";
import { type Instance, isNamed } from "../schema/instance.ts";
import { messageBody } from "../schema/rows.ts";
import { readInstance } from "../store/read-instance.ts";
import { sent } from "../store/sent.ts";
import type { Store } from "../store/store.ts";
import { storedInstance } from "../store/stored-instance.ts";
import { type PlannedStart, planStart, startMarkBody } from "./planned-start.ts";

const OPERATION = "startInstance";

const PATIENCE_MS = 10_000;

const QUEUED_START = `SELECT TOP 1 c.id FROM c
  WHERE c.type = 'orch_queue' AND STARTSWITH(c.workItem, '{"StartOrchestration"')`;

type Taken = Extract<StartOutcome, { kind: "exists" }>["status"];

export async function startInstance(
  store: Store,
  start: WorkItemOf<"StartOrchestration">,
  options: StartInstanceOptions,
): Promise<StartOutcome> {
  checkStartInstance(OPERATION, start, options);
  const plan = planStart(store, OPERATION, start, options);
  const call = store.requests.call(OPERATION, PATIENCE_MS);
  if (options.ifExists === "reuse" && options.deadline === undefined) return storePlain(store, call, plan);
  let mark: Stored | undefined;
  for (;;) {
    const outcome = await look(store, call, plan, options.ifExists, mark);
    if (outcome !== "mark") return outcome;
    // Whoever made the mark has stored its start before; where that is gone, the mark is left over.
    mark = await store.requests.read(call, plan.instanceId, startMarkDocumentId(plan.instanceId));
  }
}

/** `mark`: a start that looked, too, was first. */
async function look(
  store: Store,
  call: Call,
  plan: PlannedStart,
  ifExists: StartInstanceOptions["ifExists"],
  mark: Stored | undefined,
): Promise<StartOutcome | "mark"> {
  const { instanceId } = plan;
  // In this order: a turn that takes the start out of the queue names the instance.
  const waiting = await queuedStart(store, call, instanceId);
  const found = await instanceOf(store, call, instanceId);
  const status = found === undefined ? waiting : statusOf(found);
  if (status === undefined) return storeMarked(store, call, plan, mark);
  if (ifExists === "reuse") return storePlain(store, call, { ...plan, rows: plan.rowsWithoutDeadline });
  if (await isStored(store, call, plan)) return { kind: "stored" };
  const isOver = status === "Completed" || status === "Failed";
  if (found === undefined || ifExists === "fail" || !isOver) return { kind: "exists", status };
  const restarted = await restartInstance(store, call, found, plan);
  if (!restarted) return "mark";
  await deleteQueuedStarts(store, call, new Set([instanceId]));
  return { kind: "stored" };
}

/** What is being deleted is gone first. */
async function instanceOf(store: Store, call: Call, instanceId: string): Promise<Instance | undefined> {
  for (;;) {
    const instance = await readInstance(store, call, instanceId);
    if (instance !== undefined) return isNamed(instance) ? instance : undefined;
    const stored = await storedInstance(store, call, instanceId);
    if (stored !== undefined && stored.notes.deletion === undefined) return undefined;
    if (await finishDeletionOf(store, call, instanceId)) continue;
    if (stored === undefined) return undefined;
    throw new ProviderError({
      code: "unavailable",
      operation: OPERATION,
      message: `instance ${JSON.stringify(instanceId)} is being deleted; try again`,
    });
  }
}

async function queuedStart(store: Store, call: Call, instanceId: string): Promise<Taken | undefined> {
  const [start] = await store.requests.query<Stored>(call, instanceId, { query: QUEUED_START });
  return start === undefined ? undefined : "Queued";
}

function statusOf({ document: { status } }: Instance): Taken {
  return status === "Completed" || status === "Failed" ? status : "Running";
}

async function isStored(store: Store, call: Call, plan: PlannedStart): Promise<boolean> {
  const receipt = await store.requests.read(call, plan.instanceId, plan.receiptId);
  return receipt !== undefined && !isForgotten(receipt, plan.nowMs);
}

async function storePlain(store: Store, call: Call, plan: PlannedStart): Promise<StartOutcome> {
  const outcome = await store.requests.batch(call, plan.instanceId, creations(plan));
  if (outcome.ok || outcome.repeated || (await isStored(store, call, plan))) {
    return stored(store, plan, outcome.ok);
  }
  // The name of the start was used long ago, for another one.
  const renamed: BatchOperation = { kind: "upsert", body: plan.receipt };
  const again = await store.requests.batch(call, plan.instanceId, [renamed, ...creations(plan).slice(1)]);
  return stored(store, plan, again.ok);
}

async function storeMarked(
  store: Store,
  call: Call,
  plan: PlannedStart,
  mark: Stored | undefined,
): Promise<StartOutcome | "mark"> {
  const { instanceId } = plan;
  const body = startMarkBody(instanceId, plan.nowMs);
  const marking: BatchOperation =
    mark === undefined
      ? { kind: "create", body }
      : { kind: "replace", id: mark.id, body, ifMatch: mark._etag };
  const operations = [...creations(plan), marking];
  const outcome = await store.requests.batch(call, instanceId, operations);
  if (outcome.ok) return stored(store, plan, true);
  if (outcome.index === operations.length - 1) return "mark";
  return stored(store, plan, false);
}

/** The receipt first: where it is there, an earlier attempt was carried out. */
function creations({ receipt, rows }: PlannedStart): readonly BatchOperation[] {
  return [
    { kind: "create", body: receipt },
    ...rows.map((row): BatchOperation => ({ kind: "create", body: messageBody(row) })),
  ];
}

function stored(store: Store, { rows }: PlannedStart, isNew: boolean): StartOutcome {
  for (const row of rows) sent(store, row, isNew ? "now" : "before");
  return { kind: "stored" };
}
