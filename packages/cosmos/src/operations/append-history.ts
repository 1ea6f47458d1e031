/**
 * Appends events outside a turn, for tests (docs/reference/provider-contract.md §9). An instance that is not there
 * gets a document without a name, so that its history is found. Beyond a batch, duplicates are looked for first.
 */
import { type HistoryEvent, ProviderError } from "@duroxide-ts/core";
import { toPositiveId } from "@duroxide-ts/core/stores";
import { toEventRows } from "../encode.ts";
import type { BatchOperation } from "../requests/batch.ts";
import { toBody } from "../schema/body.ts";
import { eventBody } from "../schema/history.ts";
import { instanceDocumentId } from "../schema/ids.ts";
import { type Instance, NOTES_FIELD } from "../schema/instance.ts";
import { split } from "../staging/split.ts";
import { readInstance } from "../store/read-instance.ts";
import type { Store } from "../store/store.ts";
import { newBody } from "../turn/new-lock.ts";

const OPERATION = "appendHistory";

const PATIENCE_MS = 30_000;

const STORED = "SELECT VALUE c.eventId FROM c WHERE c.type = 'history' AND c.executionId = @execution";

export async function appendHistory(
  store: Store,
  instanceId: string,
  executionId: number,
  events: readonly HistoryEvent[],
): Promise<void> {
  const execution = toPositiveId(OPERATION, "executionId", executionId);
  const rows = toEventRows(OPERATION, events);
  const call = store.requests.call(OPERATION, PATIENCE_MS);
  const instance = await readInstance(store, call, instanceId);
  const operations = rows.map(
    (row): BatchOperation => ({ kind: "create", body: eventBody(instanceId, execution, row) }),
  );
  const pieces = split(operations, 1);
  if (pieces.length > 1) {
    const parameters = [{ name: "@execution", value: execution }];
    const stored = await store.requests.query<number>(call, instanceId, { query: STORED, parameters });
    const duplicate = rows.find(({ eventId }) => stored.includes(eventId));
    if (duplicate !== undefined) throw ProviderError.duplicateEvent(OPERATION, execution, duplicate.eventId);
  }
  for (const [index, piece] of pieces.entries()) {
    const first = index === 0 ? instanceOperations(store, instanceId, instance) : [];
    const outcome = await store.requests.batch(call, instanceId, [...piece, ...first]);
    if (outcome.ok || outcome.repeated) continue;
    const refused = piece[outcome.index];
    const eventId = refused?.kind === "create" ? Number(refused.body["eventId"]) : 0;
    throw ProviderError.duplicateEvent(OPERATION, execution, eventId);
  }
  store.knowledge.forget(instanceId, store.clock.now());
}

/** What a process holds of the history is not current any more; a lock that somebody holds is left alone. */
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
  const { turns: _, lastEventId: __, ...notes } = instance.notes;
  const body = { ...toBody(instance.document), [NOTES_FIELD]: notes };
  return [{ kind: "replace", id, body, ifMatch: instance.etag }];
}
