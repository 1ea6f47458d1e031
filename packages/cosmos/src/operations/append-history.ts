/**
 * Appends events outside a turn, for tests (docs/reference/provider-contract.md §9). An instance that is not there
 * gets a document without a name, so that its history is found. What does not fit into a batch is staged like a
 * commit, for which the instance must be free.
 */
import { type HistoryEvent, ProviderError } from "@duroxide-ts/core";
import { toPositiveId } from "@duroxide-ts/core/stores";
import { refuseStoredEvents } from "../commit/refuse-stored-events.ts";
import { stageCommit } from "../commit/stage-commit.ts";
import { type Body, NOTES_FIELD, toBody } from "../documents/body.ts";
import { toEventRows } from "../documents/encode.ts";
import { eventBody } from "../documents/history.ts";
import { instanceDocumentId } from "../documents/ids.ts";
import type { Instance } from "../documents/instance.ts";
import { newBody } from "../leases/new-lock.ts";
import { readInstance } from "../leases/read-instance.ts";
import type { Store } from "../memory/store.ts";
import type { BatchOperation } from "../service/batch.ts";
import type { Call } from "../service/call.ts";
import { fitsOneBatch } from "../service/split.ts";

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
  const call = store.service.call(OPERATION, PATIENCE_MS);
  const operations = rows.map(
    (row): BatchOperation => ({ kind: "create", body: eventBody(instanceId, execution, row) }),
  );
  const instance = await readInstance(store.service, call, instanceId);
  const all = [...operations, ...instanceOperations(store, instanceId, instance)];
  if (fitsOneBatch(all)) {
    await appendAtOnce(store, call, instanceId, all);
  } else {
    await refuseStoredEvents(store.service, call, instanceId, { events: rows, executionId: execution });
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
  const outcome = await store.service.batch(call, instanceId, operations);
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
  const { lost } = await stageCommit(store.service, call, decision, operations);
  if (lost) throw busy();
}

async function createInstance(store: Store, call: Call, instanceId: string): Promise<Instance> {
  await store.service.batch(call, instanceId, instanceOperations(store, instanceId, undefined));
  const created = await readInstance(store.service, call, instanceId);
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
