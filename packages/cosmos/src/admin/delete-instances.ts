/**
 * Deletes instances with everything they own (docs/reference/provider-contract.md §16; hazards W4, W46, W47). All
 * checks come first. Then an intent names the instances, and each is marked. A marked instance can be neither read nor
 * changed, and any process that finds the intent completes the deletion. An intent may be completed late, when its
 * instances are gone and others have their ids: it names each with the time of its creation, and leaves others alone.
 */
import { type DeleteOptions, type DeleteResult, ProviderError } from "@duroxide-ts/core";
import { NOTHING_DELETED, saturatedNumber, sumOfDeletions } from "@duroxide-ts/core/stores";
import { type Body, NOTES_FIELD, type Stored, toBody } from "../documents/body.ts";
import { deletionDocumentId, instanceDocumentId } from "../documents/ids.ts";
import { type Instance, isNamed, statusOf, writtenInstance } from "../documents/instance.ts";
import { LOCKED_FOR_EVER_MS } from "../leases/finish-commit.ts";
import { readInstance, readNamed } from "../leases/read-instance.ts";
import { storedInstance } from "../leases/stored-instance.ts";
import type { Memory } from "../memory/memory.ts";
import { ADMIN_PATIENCE_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import type { Call, Service } from "../service/service.ts";
import { childrenOf, treeOf } from "./instance-tree.ts";
import { deleteQueuedStarts } from "./queued-starts.ts";
import { wipePartition } from "./wipe-partition.ts";

/** Deletes a root with its tree. */
export async function deleteInstance(
  service: Service,
  memory: Memory,
  instanceId: string,
  options: DeleteOptions = {},
): Promise<DeleteResult> {
  const operation = "deleteInstance";
  const call = service.call(operation, ADMIN_PATIENCE_MS);
  const instance = await readInstance(call, instanceId);
  if (instance === undefined || !isNamed(instance)) throw ProviderError.notFound(operation, instanceId);
  const { parentInstanceId } = instance.document;
  // A child may be created after its parent was deleted. It then has no parent that can be deleted instead.
  const parent = parentInstanceId === null ? undefined : await readNamed(call, parentInstanceId);
  if (parent !== undefined) throw ProviderError.isChild(operation, instanceId, parent.document.instanceId);
  return deleteWithStarts(memory, call, await treeOf(call, instanceId), options.force === true);
}

/** Deletes exactly these instances, or none. */
export async function deleteInstancesAtomic(
  service: Service,
  memory: Memory,
  instanceIds: readonly string[],
  options: DeleteOptions = {},
): Promise<DeleteResult> {
  const call = service.call("deleteInstancesAtomic", ADMIN_PATIENCE_MS);
  return deleteWithStarts(memory, call, [...new Set(instanceIds)], options.force === true);
}

async function deleteWithStarts(
  memory: Memory,
  call: Call,
  instanceIds: readonly string[],
  force: boolean,
): Promise<DeleteResult> {
  const result = await deleteAll(memory, call, instanceIds, force);
  if (result.instancesDeleted === 0) return result;
  const starts = await deleteQueuedStarts(call, new Set(instanceIds));
  return sumOfDeletions(result, { ...NOTHING_DELETED, queueMessagesDeleted: starts });
}

export async function deleteAll(
  memory: Memory,
  call: Call,
  instanceIds: readonly string[],
  force: boolean,
): Promise<DeleteResult> {
  const found = await Promise.all(instanceIds.map((id) => readInstance(call, id)));
  const instances = found.filter((instance) => instance !== undefined && isNamed(instance)) as Instance[];
  const running = instances.find((instance) => statusOf(instance).status === "Running");
  if (!force && running !== undefined) {
    throw ProviderError.stillRunning(call.operation, running.document.instanceId);
  }
  const existing = instances.map(targetOf);
  const orphan = (
    await childrenOf(
      call,
      existing.map(({ instanceId }) => instanceId),
    )
  ).find((child) => !instanceIds.includes(child.instanceId));
  if (orphan !== undefined) {
    throw ProviderError.orphanedChild(call.operation, orphan.parentInstanceId, orphan.instanceId);
  }
  const [first] = existing;
  if (first === undefined) return NOTHING_DELETED;
  const partition = first.instanceId;
  const deletion: Deletion = { key: call.service.random.uuid(), partition, targets: existing };
  const body = intentBody(deletion, call.service.clock.now());
  await call.batch(partition, [{ kind: "upsert", body }]);
  return finishDeletion(memory, call, deletion);
}

export function targetOf({ document: { instanceId, createdAt } }: Instance): Target {
  return { instanceId, createdAt: saturatedNumber(createdAt) };
}

export function intentBody({ key, partition, targets, restart }: Deletion, nowMs: number): Body {
  return {
    id: deletionDocumentId(partition),
    instanceId: partition,
    type: "delete_intent",
    key,
    targets,
    createdAt: nowMs,
    ...(restart !== undefined && { restart }),
  };
}

export function toDeletion(stored: Stored): Deletion {
  const { key, instanceId, targets, restart } = stored;
  return {
    key: String(key),
    partition: String(instanceId),
    targets: targets as readonly Target[],
    ...(Array.isArray(restart) && { restart: restart as readonly Body[] }),
  };
}

/** Completes the deletion whose intent is in the partition of the instance; false if there is none. */
export async function finishDeletionOf(memory: Memory, call: Call, instanceId: string): Promise<boolean> {
  const intent = await call.read(instanceId, deletionDocumentId(instanceId));
  if (intent === undefined) return false;
  await finishDeletion(memory, call, toDeletion(intent));
  return true;
}

/** An instance to be deleted. */
export interface Target {
  readonly instanceId: string;
  /** Ms since the epoch. A later instance with the id has another. */
  readonly createdAt: number;
}

export interface Deletion {
  readonly key: string;
  /** The partition of the intent. */
  readonly partition: string;
  readonly targets: readonly Target[];
  /** Created in that partition after the deletion: a receipt, the rows of a start, and its mark. */
  readonly restart?: readonly Body[];
}

/** Completes a deletion, including one that another process began. */
export async function finishDeletion(memory: Memory, call: Call, deletion: Deletion): Promise<DeleteResult> {
  const { key, partition, targets, restart = [] } = deletion;
  const marked: Instance[] = [];
  for (const target of targets) {
    const instance = await mark(call, target, key);
    if (instance === "another") continue;
    memory.instances.drop(target.instanceId);
    if (instance !== undefined) marked.push(instance);
  }
  let total = NOTHING_DELETED;
  for (const instance of marked) total = sumOfDeletions(total, await wipePartition(call, instance));
  // One batch, so that the rows are stored once if several processes complete the deletion.
  await call.batch(partition, [
    { kind: "delete", id: deletionDocumentId(partition) },
    ...restart.map((body): BatchOperation => ({ kind: "upsert", body })),
  ]);
  if (restart.length > 0) {
    memory.instances.expect(partition, call.service.clock.now());
    memory.turns.changed.notify();
  }
  memory.watchers.notify(targets.map(({ instanceId }) => instanceId));
  return total;
}

/** Marks the instance, which ends its lock. `undefined` if it is gone; `another` if another one has its id now. */
async function mark(call: Call, target: Target, key: string): Promise<Instance | "another" | undefined> {
  const { instanceId, createdAt } = target;
  const id = instanceDocumentId(instanceId);
  for (let attempt = 1; ; attempt++) {
    const instance = await storedInstance(call, instanceId);
    if (instance === undefined || instance.notes.deletion !== undefined) return instance;
    if (targetOf(instance).createdAt !== createdAt) return "another";
    const replace = markOperation(instance, key);
    const outcome = await call.batch(instanceId, [replace]);
    if (outcome.ok) return writtenInstance(call.operation, id, replace.body, outcome.etags[0]);
    await call.again(attempt);
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
