/**
 * Appends events outside a turn, for tests (docs/reference/provider-contract.md §9). An instance that is not there
 * gets a document without a name, so that its history is found. What does not fit into a batch is staged like a
 * commit, for which the instance must be free.
 */
import { type HistoryEvent, ProviderError, toPositiveId } from "@duroxide-ts/core/stores";
import { toEventRows } from "../encode.ts";
import type { BatchOperation, Body } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { toBody } from "../schema/body.ts";
import { eventBody } from "../schema/history.ts";
import { instanceDocumentId } from "../schema/ids.ts";
import { type Instance, NOTES_FIELD } from "../schema/instance.ts";
import { refuseStoredEvents } from "../staging/refuse-stored-events.ts";
import { fitsOneBatch } from "../staging/split.ts";
import { stageCommit } from "../staging/stage-commit.ts";
import { readInstance } from "../store/read-instance.ts";
import type { Store } from "../store/store.ts";
import { newBody } from "../turn/new-lock.ts";

const OPERATION = "appendHistory";

const PATIENCE_MS = 30_000;

export async function appendHistory(
  store: Store,
  instanceId: string,
  executionId: number,
  events: readonly HistoryEvent[],
): Promise<void> {
  const execution = toPositiveId(OPERATION, "executionId", executionId);
  const rows = toEventRows(OPERATION, events);
  const call = store.requests.call(OPERATION, PATIENCE_MS);
  const operations = rows.map(
    (row): BatchOperation => ({ kind: "create", body: eventBody(instanceId, execution, row) }),
  );
  const instance = await readInstance(store, call, instanceId);
  const all = [...operations, ...instanceOperations(store, instanceId, instance)];
  if (fitsOneBatch(all)) {
    await appendAtOnce(store, call, instanceId, all);
  } else {
    await refuseStoredEvents(store, call, instanceId, { events: rows, executionId: execution });
    await appendStaged(store, call, instance ?? (await createInstance(store, call, instanceId)), operations);
  }
  store.knowledge.forget(instanceId, store.clock.now());
}

async function appendAtOnce(
  store: Store,
  call: Call,
  instanceId: string,
  operations: readonly BatchOperation[],
): Promise<void> {
  const outcome = await store.requests.batch(call, instanceId, operations);
  if (outcome.ok || outcome.repeated) return;
  const refused = operations[outcome.index];
  if (refused?.kind !== "create") throw busy();
  const { executionId, eventId } = refused.body;
  throw ProviderError.duplicateEvent(OPERATION, Number(executionId), Number(eventId));
}

async function appendStaged(
  store: Store,
  call: Call,
  instance: Instance,
  operations: readonly BatchOperation[],
): Promise<void> {
  const { instanceId, lockToken } = instance.document;
  if (lockToken !== null) throw busy();
  const secret = store.random.uuid();
  const decision = { instanceId, secret, after: changedElsewhere(instance), locked: instance };
  const { lost } = await stageCommit(store, call, decision, operations);
  if (lost) throw busy();
}

async function createInstance(store: Store, call: Call, instanceId: string): Promise<Instance> {
  await store.requests.batch(call, instanceId, instanceOperations(store, instanceId, undefined));
  const created = await readInstance(store, call, instanceId);
  if (created === undefined) throw busy();
  return created;
}

/** A lock that somebody holds is left alone. */
function instanceOperations(
  store: Store,
  instanceId: string,
  instance: Instance | undefined,
): readonly BatchOperation[] {
  const id = instanceDocumentId(instanceId);
  if (instance === undefined) {
    return [{ kind: "upsert", body: { ...newBody(store, id, instanceId), [NOTES_FIELD]: {} } }];
  }
  if (instance.document.lockToken !== null) return [];
  return [{ kind: "replace", id, body: changedElsewhere(instance), ifMatch: instance.etag }];
}

/** What a process holds of the history is not current any more. */
function changedElsewhere({ document, notes: { turns: _, lastEventId: __, ...notes } }: Instance): Body {
  return { ...toBody(document), [NOTES_FIELD]: notes };
}

function busy(): ProviderError {
  const message = "somebody else works on the instance; nothing was appended, try again";
  return new ProviderError({ code: "unavailable", operation: OPERATION, message, retryable: true });
}
