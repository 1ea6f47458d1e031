/**
 * Appends events outside a turn, for tests (docs/reference/provider-contract.md §9). For an instance that does not exist
 * it creates a document without a name, so that reads find the history. More than one batch is staged like a commit,
 * which requires an unlocked instance.
 */
import { type HistoryEvent, ProviderError } from "@duroxide-ts/core";
import { toPositiveId } from "@duroxide-ts/core/stores";
import { toCommit, writesOf } from "../commit/commit.ts";
import { writeCommit } from "../commit/write-commit.ts";
import { type Body, NOTES_FIELD, toBody } from "../documents/body.ts";
import { toEventRows } from "../documents/encode.ts";
import { eventBody, type HistoryBody } from "../documents/history.ts";
import { instanceDocumentId } from "../documents/ids.ts";
import type { Instance } from "../documents/instance.ts";
import type { Holder } from "../leases/lease.ts";
import { newBody } from "../leases/new-lock.ts";
import { readInstance } from "../leases/read-instance.ts";
import type { Memory } from "../memory/memory.ts";
import { ADMIN_TIMEOUT_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import type { Call, Service } from "../service/service.ts";
import { fitsOneBatch } from "../service/split.ts";

const OPERATION = "appendHistory";

export async function appendHistory(
  service: Service,
  memory: Memory,
  instanceId: string,
  executionId: number,
  events: readonly HistoryEvent[],
): Promise<void> {
  const execution = toPositiveId(OPERATION, "executionId", executionId);
  const rows = toEventRows(OPERATION, events);
  const call = service.call(OPERATION, ADMIN_TIMEOUT_MS);
  const history = rows.map((row) => eventBody(instanceId, execution, row));
  const instance = await readInstance(call, instanceId);
  const all: readonly BatchOperation[] = [
    ...history.map((body): BatchOperation => ({ kind: "create", body })),
    ...instanceOperations(service, instanceId, instance),
  ];
  if (fitsOneBatch(all)) await appendAtOnce(call, instanceId, all);
  else await appendStaged({ memory, call }, instance ?? (await createInstance(call, instanceId)), history);
  memory.instances.forget(instanceId, service.clock.now());
}

async function appendAtOnce(
  call: Call,
  instanceId: string,
  operations: readonly BatchOperation[],
): Promise<void> {
  const outcome = await call.batch(instanceId, operations);
  if (outcome.ok || outcome.repeated) return;
  const refused = operations[outcome.index];
  if (refused?.kind !== "create") throw busy();
  const { executionId, eventId } = refused.body;
  throw ProviderError.duplicateEvent(OPERATION, Number(executionId), Number(eventId));
}

async function appendStaged(
  holder: Holder,
  instance: Instance,
  history: readonly HistoryBody[],
): Promise<void> {
  const { call } = holder;
  if (instance.document.lockToken !== null) throw busy();
  const writes = writesOf(instance, call.service.random.uuid(), changedElsewhere(instance));
  const outcome = await writeCommit(holder, toCommit({ ...writes, history }));
  if (outcome.kind !== "done") throw busy();
}

async function createInstance(call: Call, instanceId: string): Promise<Instance> {
  await call.batch(instanceId, instanceOperations(call.service, instanceId, undefined));
  const created = await readInstance(call, instanceId);
  if (created === undefined) throw busy();
  return created;
}

/** The lock of a running turn is not changed. */
function instanceOperations(
  service: Service,
  instanceId: string,
  instance: Instance | undefined,
): readonly BatchOperation[] {
  const id = instanceDocumentId(instanceId);
  if (instance === undefined) {
    return [{ kind: "upsert", body: { ...newBody(service, id, instanceId), [NOTES_FIELD]: {} } }];
  }
  if (instance.document.lockToken !== null) return [];
  return [{ kind: "replace", id, body: changedElsewhere(instance), ifMatch: instance.etag }];
}

/** Histories in memory of other processes are outdated afterwards. */
function changedElsewhere({ document, notes: { turns: _, lastEventId: __, ...notes } }: Instance): Body {
  return { ...toBody(document), [NOTES_FIELD]: notes };
}

function busy(): ProviderError {
  const message = "the instance is locked, or was changed meanwhile; nothing was appended, try again";
  return new ProviderError({ code: "unavailable", operation: OPERATION, message, retryable: true });
}
