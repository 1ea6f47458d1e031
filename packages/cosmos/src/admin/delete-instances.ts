/**
 * Deletes instances with everything they own (docs/reference/provider-contract.md §16; hazards W4, W46, W47), after all
 * checks. A single instance is deleted by one batch if its documents fit; otherwise an intent comes first (deletion.ts).
 */
import { type DeleteOptions, type DeleteResult, ProviderError } from "@duroxide-ts/core";
import { hasEnded, NOTHING_DELETED, sumOfDeletions } from "@duroxide-ts/core/stores";
import { type Instance, isNamed, statusOf } from "../documents/instance.ts";
import { readInstance, readNamed } from "../leases/read-instance.ts";
import { endPermitBestEffort } from "../limits/end-permit.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { ADMIN_TIMEOUT_MS } from "../memory/waits.ts";
import { beginDeletion, finishDeletion, finishDeletionOf, type NewDeletion } from "./deletion.ts";
import { type Child, childrenOf, treeOf } from "./instance-tree.ts";
import { targetOf } from "./is-stored.ts";
import { deleteMessagesOfChildren } from "./late-children.ts";
import { deleteAtOnce, deletedMessages } from "./wipe-partition.ts";

/** Deletes a root with its tree. */
export async function deleteInstance(
  parts: Parts,
  instanceId: string,
  options: DeleteOptions = {},
): Promise<DeleteResult> {
  const operation = "deleteInstance";
  const work = new Work(parts, operation, ADMIN_TIMEOUT_MS);
  const instance = await readInstance(work, instanceId);
  if (instance === undefined || !isNamed(instance)) {
    // Its deletion may have begun in a process that died; without a worker no other process completes it.
    await finishDeletionOf(work, instanceId);
    throw ProviderError.notFound(operation, instanceId);
  }
  const { parentInstanceId } = instance.document;
  // A child may be created after its parent was deleted. It then has no parent that can be deleted instead.
  const parent = parentInstanceId === null ? undefined : await readNamed(work, parentInstanceId);
  if (parent !== undefined) throw ProviderError.isChild(operation, instanceId, parent.document.instanceId);
  const deleted = await deleteTree(work, instanceId, allowedBy(options));
  // Another process has deleted it meanwhile.
  if (deleted === undefined) throw ProviderError.notFound(operation, instanceId);
  return sumOfDeletions(deleted.result, await deleteLateChildren(work, deleted.alone));
}

export interface Deleted {
  readonly result: DeleteResult;
  /** Instances deleted without a list: what came of their children meanwhile has not been looked for. */
  readonly alone: readonly string[];
}

/** Returns whether an instance may be deleted, as it is when the deletion reads it. */
export type MayBeDeleted = (instance: Instance) => boolean;

const all: MayBeDeleted = () => true;

function allowedBy({ force = false }: DeleteOptions): MayBeDeleted {
  return force ? all : (instance) => hasEnded(statusOf(instance).status);
}

/**
 * Deletes an instance with its children, which may become more meanwhile. `undefined` if none of them exists. Rejects
 * with `instance-still-running` if one of them may not be deleted.
 */
export async function deleteTree(
  work: Work,
  rootId: string,
  mayBeDeleted: MayBeDeleted,
): Promise<Deleted | undefined> {
  for (let attempt = 1; ; attempt++) {
    // Children come before their parents.
    const ids = await treeOf(work, rootId);
    const instances = await existing(work, ids, mayBeDeleted);
    if (instances.length === 0) return undefined;
    const hasGrown = (await childBeside(work, instances, ids)) !== undefined;
    const deleted = hasGrown ? undefined : await tryDelete(work, instances);
    if (deleted !== undefined) return deleted;
    await work.again(attempt);
  }
}

/**
 * Deletes what came of the children of instances that were deleted without a list. A child that began is deleted with
 * its own; until then it may have answered, so everything is looked for once more.
 */
export async function deleteLateChildren(work: Work, deleted: readonly string[]): Promise<DeleteResult> {
  const parents = new Set(deleted);
  let total = NOTHING_DELETED;
  while (parents.size > 0) {
    const { messagesDeleted, begun } = await deleteMessagesOfChildren(work, parents);
    total = sumOfDeletions(total, deletedMessages(messagesDeleted));
    if (begun.length === 0) break;
    for (const id of begun) {
      parents.add(id);
      const tree = await deleteTree(work, id, all);
      for (const each of tree?.alone ?? []) parents.add(each);
      total = sumOfDeletions(total, tree?.result ?? NOTHING_DELETED);
    }
  }
  return total;
}

async function existing(
  work: Work,
  ids: readonly string[],
  mayBeDeleted: MayBeDeleted,
): Promise<readonly Instance[]> {
  const found = await Promise.all(ids.map((id) => readNamed(work, id)));
  const instances = found.filter((instance) => instance !== undefined);
  const kept = instances.find((instance) => !mayBeDeleted(instance));
  if (kept !== undefined) throw ProviderError.stillRunning(work.operation, kept.document.instanceId);
  return instances;
}

/** A child of one of the instances that is not to be deleted. */
async function childBeside(
  work: Work,
  instances: readonly Instance[],
  ids: readonly string[],
): Promise<Child | undefined> {
  const parents = instances.map(({ document }) => document.instanceId);
  return (await childrenOf(work, parents)).find(({ instanceId }) => !ids.includes(instanceId));
}

/** The root of a tree is the last one. `undefined` if an instance has changed since it was read. */
async function tryDelete(work: Work, instances: readonly Instance[]): Promise<Deleted | undefined> {
  const root = instances.at(-1);
  if (root === undefined) return { result: NOTHING_DELETED, alone: [] };
  const ofOne = instances.length === 1 ? await deleteOne(work, root) : "several";
  if (ofOne === "changed") return undefined;
  if (ofOne !== "several") return { result: ofOne, alone: [root.document.instanceId] };
  const deletion = await beginDeletion(work, listOf(work, instances, root), root);
  return deletion && { result: await finishDeletion(work, deletion), alone: [] };
}

function listOf(work: Work, instances: readonly Instance[], root: Instance): NewDeletion {
  const { instanceId } = root.document;
  return { key: work.service.random.uuid(), root: instanceId, targets: instances.map(targetOf) };
}

async function deleteOne(work: Work, instance: Instance): Promise<DeleteResult | "changed" | "several"> {
  const { instanceId } = instance.document;
  const result = await deleteAtOnce(work, instance, { isListed: false });
  if (typeof result !== "object") return result;
  work.memory.instances.drop(instanceId);
  work.memory.activities.removeInstance(instanceId);
  if (instance.notes.limitKey !== undefined)
    await endPermitBestEffort(work, instance.notes.limitKey, instanceId);
  work.memory.watchers.notify([instanceId]);
  return result;
}
