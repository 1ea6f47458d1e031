/**
 * A deletion of several batches (docs/decisions/cosmos-deletions.md). An intent lists the instances, and any
 * process that finds it completes the deletion. The root is marked with the intent, and so is each other instance that
 * one batch cannot delete. A marked instance can be neither read nor changed. The root comes last, so its id is not free
 * before everything else is gone. Of the others, parents come before their children: what a parent has sent to a child
 * that is deleted already would stay in the queue of that id.
 *
 * - deletion.D1: The intent in a partition is created in the batch that marks its instance: what is created later
 *   belongs to the next instance with the id.
 * - deletion.D2: An intent may be completed late, when its instances are gone and others have their ids. The list has
 *   the time of creation of each, and others are left alone.
 * - deletion.D3: The intent with the list is deleted last, in the batch that stores the start of a restart. The ETag of
 *   the intent is its condition: the rows are stored once, however many processes complete the deletion and however
 *   late.
 * - deletion.D4: What the list lacks is looked for before the root is deleted (late-children.ts): children that have
 *   not begun, or began after the list was made. The latter are added to the list, so a process that dies leaves them
 *   to the next one.
 * - deletion.D5: That an instance is gone is read after a fence: without its intent a marked instance would stay for
 *   ever.
 */
import type { DeleteResult } from "@duroxide-ts/core";
import { NOTHING_DELETED, sumOfDeletions } from "@duroxide-ts/core/stores";
import { type Body, NOTES_FIELD, type Stored, toBody } from "../documents/body.ts";
import { deletionDocumentId, instanceDocumentId } from "../documents/ids.ts";
import { type Instance, writtenInstance } from "../documents/instance.ts";
import { LOCKED_FOR_EVER_MS } from "../leases/finish-commit.ts";
import { readNamed } from "../leases/read-instance.ts";
import { storedInstance } from "../leases/stored-instance.ts";
import { endPermitBestEffort } from "../limits/end-permit.ts";
import type { Work } from "../memory/parts.ts";
import type { BatchOperation } from "../service/batch.ts";
import { treeOf } from "./instance-tree.ts";
import { isStored, type Target, targetOf } from "./is-stored.ts";
import { deleteMessagesOfChildren } from "./late-children.ts";
import { settleMessages } from "./settle-messages.ts";
import { deleteAtOnce, deletedMessages, wipePartition } from "./wipe-partition.ts";

export interface Deletion extends NewDeletion {
  /** ETag of the intent with the list; only deletion.D4 changes that intent. */
  readonly etag: string;
}

export interface NewDeletion {
  readonly key: string;
  /** The partition of the intent with the list; its instance is one of the targets. */
  readonly root: string;
  /** Children before their parents. */
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

/**
 * Stores the list and marks the root. `undefined` if the root has changed, the message for which it is deleted is gone, or
 * an older deletion had to be completed.
 */
export async function beginDeletion(
  work: Work,
  deletion: NewDeletion,
  instance: Instance,
  message: readonly BatchOperation[] = [],
): Promise<Deletion | undefined> {
  const { key, root } = deletion;
  const outcome = await work.batch(root, [...marking(work, deletion, instance), ...message]);
  if (outcome.ok) return { ...deletion, etag: outcome.etags[0] ?? "" };
  const intent = await work.read(root, deletionDocumentId(root));
  // After a lost answer it is that of this deletion.
  if (intent?.["key"] === key) return { ...deletion, etag: intent._etag };
  if (intent !== undefined) await finishDeletionOf(work, root);
  return undefined;
}

/** Completes the deletion that the instance belongs to; false if there is none. */
export async function finishDeletionOf(work: Work, instanceId: string): Promise<boolean> {
  const intent = await work.read(instanceId, deletionDocumentId(instanceId));
  if (intent === undefined) return false;
  const root = String(intent["root"] ?? instanceId);
  const listed = root === instanceId ? intent : await work.read(root, deletionDocumentId(root));
  return listed !== undefined && (await finishListed(work, listed));
}

/** Completes the deletion of an intent with a list; false for another intent. */
export async function finishListed(work: Work, intent: Stored): Promise<boolean> {
  const deletion = toDeletion(intent);
  if (deletion === undefined) return false;
  await finishDeletion(work, deletion);
  return true;
}

/** Completes a deletion, including one that another process began. */
export async function finishDeletion(work: Work, deletion: Deletion): Promise<DeleteResult> {
  const { memory } = work;
  const { root, restart = [] } = deletion;
  let total = NOTHING_DELETED;
  let left: Deletion | undefined = deletion;
  for (let attempt = 1; left !== undefined; attempt++) {
    if (attempt > 1) await work.again(attempt);
    const { listed, result } = await deleteBelow(work, left);
    total = sumOfDeletions(total, result);
    if (listed === undefined) return total;
    const last = listed.targets.find(({ instanceId }) => instanceId === root);
    if (last !== undefined) total = sumOfDeletions(total, await deleteTarget(work, listed, last));
    left = await deleteList(work, listed);
    memory.watchers.notify(listed.targets.map(({ instanceId }) => instanceId));
  }
  if (restart.length > 0) expectStart(work, root);
  return total;
}

/** Stores the start of a restart too (deletion.D3). Resolves to the list if another process has added to it. */
async function deleteList(work: Work, deletion: Deletion): Promise<Deletion | undefined> {
  const { root, etag, restart = [] } = deletion;
  const { ok } = await work.batch(root, [
    { kind: "delete", id: deletionDocumentId(root), ifMatch: etag },
    ...restart.map((body): BatchOperation => ({ kind: "upsert", body })),
  ]);
  return ok ? undefined : storedList(work, deletion);
}

/** The list as it is now; undefined if another process has completed the deletion. */
async function storedList(work: Work, { root, key }: Deletion): Promise<Deletion | undefined> {
  const intent = await work.read(root, deletionDocumentId(root));
  return intent?.["key"] === key ? toDeletion(intent) : undefined;
}

interface DeletedBelow {
  /** Deletion with the children that had begun since; undefined if another process has completed it. */
  readonly listed: Deletion | undefined;
  readonly result: DeleteResult;
}

/** Deletes everything but the root (deletion.D4). */
async function deleteBelow(work: Work, deletion: Deletion): Promise<DeletedBelow> {
  const { root } = deletion;
  const deleted = new Set([root]);
  // Without the mark, which was stored with the list, the root is deleted already.
  let result = deletedMessages((await settleMessages(work, root, deletion.key)) ?? 0);
  let listed = deletion;
  for (let attempt = 1; ; attempt++) {
    for (const target of listed.targets.toReversed()) {
      if (deleted.has(target.instanceId)) continue;
      result = sumOfDeletions(result, await deleteTarget(work, listed, target));
      deleted.add(target.instanceId);
    }
    const { messagesDeleted, begun } = await deleteMessagesOfChildren(work, deleted, root);
    result = sumOfDeletions(result, deletedMessages(messagesDeleted));
    if (begun.length === 0) return { listed, result };
    const grown = await withChildren(work, listed, begun);
    if (grown === undefined) return { listed: undefined, result };
    listed = grown;
    await work.again(attempt);
  }
}

/** The list with these children and what they have begun. `undefined` if another process has completed the deletion. */
async function withChildren(
  work: Work,
  deletion: Deletion,
  begun: readonly string[],
): Promise<Deletion | undefined> {
  const { root, targets, etag } = deletion;
  const trees = await Promise.all(begun.map((id) => treeOf(work, id)));
  const found = await Promise.all([...new Set(trees.flat())].map((id) => readNamed(work, id)));
  const added = found.filter((instance) => instance !== undefined).map(targetOf);
  const values = { targets: [...targets, ...added] };
  const outcome = await work.batch(root, [
    { kind: "set", id: deletionDocumentId(root), values, ifMatch: etag },
  ]);
  if (outcome.ok) return { ...deletion, ...values, etag: outcome.etags[0] ?? "" };
  return storedList(work, deletion);
}

/** Nothing if it is gone, or if another instance has its id now. */
async function deleteTarget(work: Work, deletion: Deletion, target: Target): Promise<DeleteResult> {
  const { memory } = work;
  for (let attempt = 1; ; attempt++) {
    const instance = await storedInstance(work, target.instanceId);
    if (instance !== undefined && targetOf(instance).createdAt === target.createdAt) {
      memory.instances.drop(target.instanceId);
      const result = await deleteShown(work, deletion, instance);
      if (result !== undefined) {
        memory.activities.removeInstance(target.instanceId);
        const { limitKey } = instance.notes;
        if (limitKey !== undefined) await endPermitBestEffort(work, limitKey, target.instanceId);
        return result;
      }
    } else if (!(await isStored(work, target))) return NOTHING_DELETED;
    await work.again(attempt);
  }
}

/** `undefined` if it must be read again. */
async function deleteShown(
  work: Work,
  deletion: Deletion,
  instance: Instance,
): Promise<DeleteResult | undefined> {
  if (instance.notes.deletion !== undefined) return wipe(work, instance);
  const result = await deleteAtOnce(work, instance, { isListed: true });
  if (typeof result === "object") return result;
  const marked = result === "several" ? await mark(work, deletion, instance) : undefined;
  return marked && wipe(work, marked);
}

/** Marks the instance, which ends its lock. `undefined` if it has changed. */
async function mark(work: Work, deletion: Deletion, instance: Instance): Promise<Instance | undefined> {
  const { instanceId } = instance.document;
  const operations = marking(work, deletion, instance);
  const outcome = await work.batch(instanceId, operations);
  const [, { id, body }] = operations;
  if (outcome.ok) return writtenInstance(work.operation, id, body, outcome.etags[1]);
  // An older deletion, whose process died after it had deleted the instance.
  if (outcome.index === 0) await finishDeletionOf(work, instanceId);
  return undefined;
}

async function wipe(work: Work, marked: Instance): Promise<DeleteResult> {
  const { result, isStartedAgain } = await wipePartition(work, marked);
  if (isStartedAgain) expectStart(work, marked.document.instanceId);
  return result;
}

function expectStart(work: Work, instanceId: string): void {
  work.memory.instances.expect(instanceId, work.clock.now());
  work.memory.waitingForTurns.notify();
}

type Marking = readonly [BatchOperation, Extract<BatchOperation, { readonly kind: "replace" }>];

/** The batch that begins the deletion of a partition (deletion.D1). */
function marking(work: Work, deletion: NewDeletion, instance: Instance): Marking {
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
    createdAt: work.clock.now(),
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
