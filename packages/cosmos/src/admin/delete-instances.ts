/**
 * Deletes instances with everything they own (docs/reference/provider-contract.md §16; hazards W4, W46, W47). What
 * could refuse it is checked first. Then an intent names the instances, and each is marked: from there on nobody can
 * see or change it, and whoever finds the intent finishes the work.
 */
import {
  type DeleteOptions,
  type DeleteResult,
  NOTHING_DELETED,
  ProviderError,
  sumOfDeletions,
} from "@duroxide-ts/core/stores";
import type { BatchOperation, Body } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import type { Stored } from "../requests/requests.ts";
import { toBody } from "../schema/body.ts";
import { deletionDocumentId, instanceDocumentId } from "../schema/ids.ts";
import { type Instance, isNamed, NOTES_FIELD, writtenInstance } from "../schema/instance.ts";
import { LOCKED_FOR_EVER_MS } from "../staging/finish-commit.ts";
import { readInstance, readNamed } from "../store/read-instance.ts";
import type { Store } from "../store/store.ts";
import { storedInstance } from "../store/stored-instance.ts";
import { childrenOf, treeOf } from "./instance-tree.ts";
import { ADMIN_PATIENCE_MS } from "./named-instances.ts";
import { deleteQueuedStarts } from "./queued-starts.ts";
import { wipePartition } from "./wipe-partition.ts";

/** A root with its tree. */
export async function deleteInstance(
  store: Store,
  instanceId: string,
  options: DeleteOptions = {},
): Promise<DeleteResult> {
  const operation = "deleteInstance";
  const call = store.requests.call(operation, ADMIN_PATIENCE_MS);
  const instance = await readInstance(store, call, instanceId);
  if (instance === undefined || !isNamed(instance)) throw ProviderError.notFound(operation, instanceId);
  const { parentInstanceId } = instance.document;
  // A child may be created after its parent was deleted; then nobody else can be deleted in its place.
  const parent = parentInstanceId === null ? undefined : await readNamed(store, call, parentInstanceId);
  if (parent !== undefined) throw ProviderError.isChild(operation, instanceId, parent.document.instanceId);
  return deleteWithStarts(store, call, await treeOf(store, call, instanceId), options.force === true);
}

/** Exactly these, or nothing. */
export async function deleteInstancesAtomic(
  store: Store,
  instanceIds: readonly string[],
  options: DeleteOptions = {},
): Promise<DeleteResult> {
  const call = store.requests.call("deleteInstancesAtomic", ADMIN_PATIENCE_MS);
  return deleteWithStarts(store, call, [...new Set(instanceIds)], options.force === true);
}

async function deleteWithStarts(
  store: Store,
  call: Call,
  instanceIds: readonly string[],
  force: boolean,
): Promise<DeleteResult> {
  const result = await deleteAll(store, call, instanceIds, force);
  if (result.instancesDeleted === 0) return result;
  const starts = await deleteQueuedStarts(store, call, new Set(instanceIds));
  return sumOfDeletions(result, { ...NOTHING_DELETED, queueMessagesDeleted: starts });
}

export async function deleteAll(
  store: Store,
  call: Call,
  instanceIds: readonly string[],
  force: boolean,
): Promise<DeleteResult> {
  const found = await Promise.all(instanceIds.map((id) => readInstance(store, call, id)));
  const instances = found.filter((instance) => instance !== undefined && isNamed(instance)) as Instance[];
  const running = instances.find(({ document }) => document.status === "Running");
  if (!force && running !== undefined) {
    throw ProviderError.stillRunning(call.operation, running.document.instanceId);
  }
  const existing = instances.map(({ document }) => document.instanceId);
  const orphan = (await childrenOf(store, call, existing)).find(
    (child) => !instanceIds.includes(child.instanceId),
  );
  if (orphan !== undefined) {
    throw ProviderError.orphanedChild(call.operation, orphan.parentInstanceId, orphan.instanceId);
  }
  const [first] = existing;
  if (first === undefined) return NOTHING_DELETED;
  const deletion: Deletion = { key: store.random.uuid(), partition: first, instanceIds: existing };
  const body = intentBody(deletion, store.clock.now());
  await store.requests.batch(call, first, [{ kind: "upsert", body }]);
  return finishDeletion(store, call, deletion);
}

export function intentBody({ key, partition, instanceIds, restart }: Deletion, nowMs: number): Body {
  return {
    id: deletionDocumentId(partition),
    instanceId: partition,
    type: "delete_intent",
    key,
    instanceIds,
    createdAt: nowMs,
    ...(restart !== undefined && { restart }),
  };
}

export function toDeletion(stored: Stored): Deletion {
  const { key, instanceId, instanceIds, restart } = stored;
  return {
    key: String(key),
    partition: String(instanceId),
    instanceIds: instanceIds as readonly string[],
    ...(Array.isArray(restart) && { restart: restart as readonly Body[] }),
  };
}

/** The deletion whose intent is kept with the instance; false where there is none. */
export async function finishDeletionOf(store: Store, call: Call, instanceId: string): Promise<boolean> {
  const intent = await store.requests.read(call, instanceId, deletionDocumentId(instanceId));
  if (intent === undefined) return false;
  await finishDeletion(store, call, toDeletion(intent));
  return true;
}

export interface Deletion {
  readonly key: string;
  /** Where the intent is kept. */
  readonly partition: string;
  readonly instanceIds: readonly string[];
  /** What is created in that partition when all is gone: a receipt, the rows of a start, and its mark. */
  readonly restart?: readonly Body[];
}

/** Also for a deletion that another process began. */
export async function finishDeletion(store: Store, call: Call, deletion: Deletion): Promise<DeleteResult> {
  const { key, partition, instanceIds, restart = [] } = deletion;
  const marked: Instance[] = [];
  for (const id of instanceIds) {
    const instance = await mark(store, call, id, key);
    if (instance !== undefined) marked.push(instance);
    store.knowledge.drop(id);
  }
  let total = NOTHING_DELETED;
  for (const instance of marked) total = sumOfDeletions(total, await wipePartition(store, call, instance));
  // Together, so that the rows are there once, whoever finishes the deletion. A receipt may have come meanwhile.
  await store.requests.batch(call, partition, [
    { kind: "delete", id: deletionDocumentId(partition) },
    ...restart.map((body): BatchOperation => ({ kind: "upsert", body })),
  ]);
  if (restart.length > 0) {
    store.knowledge.expect(partition, store.clock.now());
    store.turnsWanted.notify();
  }
  store.watchers.notify(instanceIds);
  return total;
}

/** Whoever holds its lock has lost it. `undefined` where it is gone. */
async function mark(
  store: Store,
  call: Call,
  instanceId: string,
  key: string,
): Promise<Instance | undefined> {
  const id = instanceDocumentId(instanceId);
  for (;;) {
    const instance = await storedInstance(store, call, instanceId);
    if (instance === undefined || instance.notes.deletion !== undefined) return instance;
    const replace = markOperation(instance, key);
    const outcome = await store.requests.batch(call, instanceId, [replace]);
    if (outcome.ok) return writtenInstance(call.operation, id, replace.body, outcome.etags[0]);
  }
}

export function markOperation(
  { document, notes, etag }: Instance,
  key: string,
): Extract<BatchOperation, { kind: "replace" }> {
  const body: Body = {
    ...toBody(document),
    lockToken: `delete:${key}`,
    lockedUntil: LOCKED_FOR_EVER_MS,
    [NOTES_FIELD]: { ...notes, deletion: key },
  };
  return { kind: "replace", id: instanceDocumentId(document.instanceId), body, ifMatch: etag };
}
