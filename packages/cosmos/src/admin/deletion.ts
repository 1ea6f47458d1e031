/**
 * A deletion of several batches (docs/decisions/0057-cosmos-deletions.md). An intent lists the instances, and any
 * process that finds it completes the deletion. The root is marked with the intent, and so is each other instance that
 * one batch cannot delete. A marked instance can be neither read nor changed. The root comes last.
 *
 * D1. The intent in a partition is created in the batch that marks its instance: what is created later belongs to the
 *     next instance with the id.
 * D2. An intent may be completed late, when its instances are gone and others have their ids. The list has the time of
 *     creation of each, and others are left alone.
 * D3. The intent with the list is deleted last, in the batch that stores the start of a restart. The ETag of the intent is
 *     its condition: the rows are stored once, however many processes complete the deletion and however late.
 * D4. The queued messages of children are deleted before the start of a restart is stored: afterwards they could be those
 *     of its own children.
 * D5. That an instance is gone is proven by a refused write: without its intent a marked instance would stay for ever.
 */
import type { DeleteResult } from "@duroxide-ts/core";
import { NOTHING_DELETED, sumOfDeletions } from "@duroxide-ts/core/stores";
import { type Body, NOTES_FIELD, type Stored, toBody } from "../documents/body.ts";
import { deletionDocumentId, instanceDocumentId } from "../documents/ids.ts";
import { type Instance, writtenInstance } from "../documents/instance.ts";
import { LOCKED_FOR_EVER_MS } from "../leases/finish-commit.ts";
import { storedInstance } from "../leases/stored-instance.ts";
import type { Memory } from "../memory/memory.ts";
import type { BatchOperation } from "../service/batch.ts";
import type { Call } from "../service/service.ts";
import { isStored, type Target, targetOf } from "./is-stored.ts";
import { deleteMessagesOfChildren } from "./late-children.ts";
import { deleteAtOnce, wipePartition } from "./wipe-partition.ts";

export interface Deletion extends NewDeletion {
  /** Of the intent with the list; nothing changes that intent. */
  readonly etag: string;
}

export interface NewDeletion {
  readonly key: string;
  /** The partition of the intent with the list; its instance is one of the targets. */
  readonly root: string;
  readonly targets: readonly Target[];
  /** Created in the partition of the root after the deletion: a receipt, the rows of a start, and its mark. */
  readonly restart?: readonly Body[];
}

/** `undefined` for the part of an intent in another partition than the root's. */
function toDeletion(intent: Stored): Deletion | undefined {
  const { key, instanceId, root, targets, restart, _etag: etag } = intent;
  if (root !== undefined) return undefined;
  return {
    etag,
    key: String(key),
    root: String(instanceId),
    targets: targets as readonly Target[],
    ...(Array.isArray(restart) && { restart: restart as readonly Body[] }),
  };
}

/** Stores the list and marks the root. `undefined` if the root has changed, or an older deletion had to be completed. */
export async function beginDeletion(
  memory: Memory,
  call: Call,
  deletion: NewDeletion,
  instance: Instance,
): Promise<Deletion | undefined> {
  const { key, root } = deletion;
  const outcome = await call.batch(root, marking(call, deletion, instance));
  if (outcome.ok) return { ...deletion, etag: outcome.etags[0] ?? "" };
  const intent = await call.read(root, deletionDocumentId(root));
  // After a lost answer it is that of this deletion.
  if (intent?.["key"] === key) return { ...deletion, etag: intent._etag };
  if (intent !== undefined) await finishDeletionOf(memory, call, root);
  return undefined;
}

/** Completes the deletion that the instance belongs to; false if there is none. */
export async function finishDeletionOf(memory: Memory, call: Call, instanceId: string): Promise<boolean> {
  const intent = await call.read(instanceId, deletionDocumentId(instanceId));
  if (intent === undefined) return false;
  const root = String(intent["root"] ?? instanceId);
  const listed = root === instanceId ? intent : await call.read(root, deletionDocumentId(root));
  return listed !== undefined && (await finishListed(memory, call, listed));
}

/** Completes the deletion of an intent with a list; false for another intent. */
export async function finishListed(memory: Memory, call: Call, intent: Stored): Promise<boolean> {
  const deletion = toDeletion(intent);
  if (deletion === undefined) return false;
  await finishDeletion(memory, call, deletion);
  return true;
}

/** Completes a deletion, including one that another process began. */
export async function finishDeletion(memory: Memory, call: Call, deletion: Deletion): Promise<DeleteResult> {
  const { root, targets, restart = [], etag } = deletion;
  let total = NOTHING_DELETED;
  for (const target of targets) {
    total = sumOfDeletions(total, await deleteTarget(memory, call, deletion, target));
  }
  if (restart.length > 0) {
    await deleteMessagesOfChildren(call, new Set(targets.map(({ instanceId }) => instanceId)));
  }
  await call.batch(root, [
    { kind: "delete", id: deletionDocumentId(root), ifMatch: etag },
    ...restart.map((body): BatchOperation => ({ kind: "upsert", body })),
  ]);
  if (restart.length > 0) expectStart(memory, call, root);
  memory.watchers.notify(targets.map(({ instanceId }) => instanceId));
  return total;
}

/** Nothing if it is gone, or if another instance has its id now. */
async function deleteTarget(
  memory: Memory,
  call: Call,
  deletion: Deletion,
  target: Target,
): Promise<DeleteResult> {
  for (let attempt = 1; ; attempt++) {
    const instance = await storedInstance(call, target.instanceId);
    if (instance !== undefined && isShown(instance, target, deletion)) {
      memory.instances.drop(target.instanceId);
      const result = await deleteShown(memory, call, deletion, instance);
      if (result !== undefined) return result;
    } else if (!(await isStored(call, target))) return NOTHING_DELETED;
    await call.again(attempt);
  }
}

/** The root was marked with its intent: a replica that shows it without the mark lags behind. */
function isShown(instance: Instance, { instanceId, createdAt }: Target, { root }: Deletion): boolean {
  const isTarget = targetOf(instance).createdAt === createdAt;
  return isTarget && (instanceId !== root || instance.notes.deletion !== undefined);
}

/** `undefined` if it must be read again. */
async function deleteShown(
  memory: Memory,
  call: Call,
  deletion: Deletion,
  instance: Instance,
): Promise<DeleteResult | undefined> {
  if (instance.notes.deletion !== undefined) return wipe(memory, call, instance);
  const result = await deleteAtOnce(call, instance);
  if (typeof result === "object") return result;
  const marked = result === "large" ? await mark(memory, call, deletion, instance) : undefined;
  return marked && wipe(memory, call, marked);
}

/** Marks the instance, which ends its lock. `undefined` if it has changed. */
async function mark(
  memory: Memory,
  call: Call,
  deletion: Deletion,
  instance: Instance,
): Promise<Instance | undefined> {
  const { instanceId } = instance.document;
  const operations = marking(call, deletion, instance);
  const outcome = await call.batch(instanceId, operations);
  const [, { id, body }] = operations;
  if (outcome.ok) return writtenInstance(call.operation, id, body, outcome.etags[1]);
  // An older deletion, whose process died after it had deleted the instance.
  if (outcome.index === 0) await finishDeletionOf(memory, call, instanceId);
  return undefined;
}

async function wipe(memory: Memory, call: Call, marked: Instance): Promise<DeleteResult> {
  const { result, isStartedAgain } = await wipePartition(call, marked);
  if (isStartedAgain) expectStart(memory, call, marked.document.instanceId);
  return result;
}

function expectStart(memory: Memory, call: Call, instanceId: string): void {
  memory.instances.expect(instanceId, call.service.clock.now());
  memory.turns.changed.notify();
}

type Marking = readonly [BatchOperation, Extract<BatchOperation, { readonly kind: "replace" }>];

/** The batch that begins the deletion of a partition (D1). */
function marking(call: Call, deletion: NewDeletion, instance: Instance): Marking {
  const { key, root, targets, restart } = deletion;
  const { document, notes, etag } = instance;
  const { instanceId } = document;
  const part = instanceId === root ? { targets, ...(restart && { restart }) } : { root };
  const intent: Body = {
    id: deletionDocumentId(instanceId),
    instanceId,
    type: "delete_intent",
    key,
    ...part,
    createdAt: call.service.clock.now(),
  };
  const marked: Body = {
    ...toBody(document),
    lockToken: `delete:${key}`,
    lockedUntil: LOCKED_FOR_EVER_MS,
    [NOTES_FIELD]: { ...notes, deletion: key },
  };
  return [
    { kind: "create", body: intent },
    { kind: "replace", id: instanceDocumentId(instanceId), body: marked, ifMatch: etag },
  ];
}
