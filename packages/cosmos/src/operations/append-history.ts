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
import { newBody } from "../leases/new-lock.ts";
import { readInstance } from "../leases/read-instance.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { ADMIN_TIMEOUT_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import { fitsOneBatch } from "../service/split.ts";

const OPERATION = "appendHistory";

export async function appendHistory(
  parts: Parts,
  instanceId: string,
  executionId: number,
  events: readonly HistoryEvent[],
): Promise<void> {
  const execution = toPositiveId(OPERATION, "executionId", executionId);
  const rows = toEventRows(OPERATION, events);
  const work = new Work(parts, OPERATION, ADMIN_TIMEOUT_MS);
  const history = rows.map((row) => eventBody(instanceId, execution, row));
  const instance = await readInstance(work, instanceId);
  const all: readonly BatchOperation[] = [
    ...history.map((body): BatchOperation => ({ kind: "create", body })),
    ...instanceOperations(parts, instanceId, instance),
  ];
  if (fitsOneBatch(all)) await appendAtOnce(work, instanceId, all);
  else await appendStaged(work, instance ?? (await createInstance(work, instanceId)), history);
  parts.memory.instances.forget(instanceId, parts.clock.now());
}

async function appendAtOnce(
  work: Work,
  instanceId: string,
  operations: readonly BatchOperation[],
): Promise<void> {
  const outcome = await work.batch(instanceId, operations);
  if (outcome.ok || outcome.repeated) return;
  const refused = operations[outcome.index];
  if (refused?.kind !== "create") throw busy();
  const { executionId, eventId } = refused.body;
  throw ProviderError.duplicateEvent(OPERATION, Number(executionId), Number(eventId));
}

async function appendStaged(work: Work, instance: Instance, history: readonly HistoryBody[]): Promise<void> {
  if (instance.document.lockToken !== null) throw busy();
  const writes = writesOf(instance, work.service.random.uuid(), changedElsewhere(instance));
  const outcome = await writeCommit(work, toCommit({ ...writes, history }));
  if (outcome.kind !== "done") throw busy();
}

async function createInstance(work: Work, instanceId: string): Promise<Instance> {
  await work.batch(instanceId, instanceOperations(work, instanceId, undefined));
  const created = await readInstance(work, instanceId);
  if (created === undefined) throw busy();
  return created;
}

/** The lock of a running turn is not changed. */
function instanceOperations(
  parts: Parts,
  instanceId: string,
  instance: Instance | undefined,
): readonly BatchOperation[] {
  const id = instanceDocumentId(instanceId);
  if (instance === undefined) {
    return [{ kind: "upsert", body: { ...newBody(parts, id, instanceId), [NOTES_FIELD]: {} } }];
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
