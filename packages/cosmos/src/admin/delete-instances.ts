/**
 * Deletes instances with everything they own (docs/reference/provider-contract.md §16; hazards W4, W46, W47), after all
 * checks. A single instance is deleted by one batch if its documents fit; otherwise an intent comes first (deletion.ts).
 */
import { type DeleteOptions, type DeleteResult, ProviderError } from "@duroxide-ts/core";
import { hasEnded, NOTHING_DELETED, sumOfDeletions } from "@duroxide-ts/core/stores";
import { type Instance, isNamed, statusOf } from "../documents/instance.ts";
import type { FetchQueues } from "../fetching/fetch-queues.ts";
import { readInstance, readNamed } from "../leases/read-instance.ts";
import type { Memory } from "../memory/memory.ts";
import { ADMIN_TIMEOUT_MS } from "../memory/waits.ts";
import type { Call, Service } from "../service/service.ts";
import { type Deleter, deletedMessages } from "./deleter.ts";
import { beginDeletion, finishDeletion, finishDeletionOf, type NewDeletion } from "./deletion.ts";
import { type Child, childrenOf, treeOf } from "./instance-tree.ts";
import { targetOf } from "./is-stored.ts";
import { deleteMessagesOfChildren } from "./late-children.ts";
import { deleteAtOnce } from "./wipe-partition.ts";

/** Deletes a root with its tree. */
export async function deleteInstance(
  service: Service,
  memory: Memory,
  queues: FetchQueues,
  instanceId: string,
  options: DeleteOptions = {},
): Promise<DeleteResult> {
  const operation = "deleteInstance";
  const call = service.call(operation, ADMIN_TIMEOUT_MS);
  const deleter: Deleter = { memory, queues, call };
  const instance = await readInstance(call, instanceId);
  if (instance === undefined || !isNamed(instance)) {
    // Its deletion may have begun in a process that died; without a worker no other process completes it.
    await finishDeletionOf(deleter, instanceId);
    throw ProviderError.notFound(operation, instanceId);
  }
  const { parentInstanceId } = instance.document;
  // A child may be created after its parent was deleted. It then has no parent that can be deleted instead.
  const parent = parentInstanceId === null ? undefined : await readNamed(call, parentInstanceId);
  if (parent !== undefined) throw ProviderError.isChild(operation, instanceId, parent.document.instanceId);
  const deleted = await deleteTree(deleter, instanceId, allowedBy(options));
  // Another process has deleted it meanwhile.
  if (deleted === undefined) throw ProviderError.notFound(operation, instanceId);
  return sumOfDeletions(deleted.result, await deleteLateChildren(deleter, deleted.alone));
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
  deleter: Deleter,
  rootId: string,
  mayBeDeleted: MayBeDeleted,
): Promise<Deleted | undefined> {
  const { call } = deleter;
  for (let attempt = 1; ; attempt++) {
    // Children come before their parents.
    const ids = await treeOf(call, rootId);
    const instances = await existing(call, ids, mayBeDeleted);
    if (instances.length === 0) return undefined;
    const hasGrown = (await childBeside(call, instances, ids)) !== undefined;
    const deleted = hasGrown ? undefined : await tryDelete(deleter, instances);
    if (deleted !== undefined) return deleted;
    await call.again(attempt);
  }
}

/**
 * Deletes what came of the children of instances that were deleted without a list. A child that began is deleted with
 * its own; until then it may have answered, so everything is looked for once more.
 */
export async function deleteLateChildren(
  deleter: Deleter,
  deleted: readonly string[],
): Promise<DeleteResult> {
  const parents = new Set(deleted);
  let total = NOTHING_DELETED;
  while (parents.size > 0) {
    const { messagesDeleted, begun } = await deleteMessagesOfChildren(deleter.call, parents);
    total = sumOfDeletions(total, deletedMessages(messagesDeleted));
    if (begun.length === 0) break;
    for (const id of begun) {
      parents.add(id);
      const tree = await deleteTree(deleter, id, all);
      for (const each of tree?.alone ?? []) parents.add(each);
      total = sumOfDeletions(total, tree?.result ?? NOTHING_DELETED);
    }
  }
  return total;
}

async function existing(
  call: Call,
  ids: readonly string[],
  mayBeDeleted: MayBeDeleted,
): Promise<readonly Instance[]> {
  const found = await Promise.all(ids.map((id) => readNamed(call, id)));
  const instances = found.filter((instance) => instance !== undefined);
  const kept = instances.find((instance) => !mayBeDeleted(instance));
  if (kept !== undefined) throw ProviderError.stillRunning(call.operation, kept.document.instanceId);
  return instances;
}

/** A child of one of the instances that is not to be deleted. */
async function childBeside(
  call: Call,
  instances: readonly Instance[],
  ids: readonly string[],
): Promise<Child | undefined> {
  const parents = instances.map(({ document }) => document.instanceId);
  return (await childrenOf(call, parents)).find(({ instanceId }) => !ids.includes(instanceId));
}

/** The root of a tree is the last one. `undefined` if an instance has changed since it was read. */
async function tryDelete(deleter: Deleter, instances: readonly Instance[]): Promise<Deleted | undefined> {
  const root = instances.at(-1);
  if (root === undefined) return { result: NOTHING_DELETED, alone: [] };
  const ofOne = instances.length === 1 ? await deleteOne(deleter, root) : "several";
  if (ofOne === "changed") return undefined;
  if (ofOne !== "several") return { result: ofOne, alone: [root.document.instanceId] };
  const deletion = await beginDeletion(deleter, listOf(deleter.call, instances, root), root);
  return deletion && { result: await finishDeletion(deleter, deletion), alone: [] };
}

function listOf(call: Call, instances: readonly Instance[], root: Instance): NewDeletion {
  const { instanceId } = root.document;
  return { key: call.service.random.uuid(), root: instanceId, targets: instances.map(targetOf) };
}

async function deleteOne(
  { memory, call }: Deleter,
  instance: Instance,
): Promise<DeleteResult | "changed" | "several"> {
  const { instanceId } = instance.document;
  const result = await deleteAtOnce(call, instance, { isListed: false });
  if (typeof result !== "object") return result;
  memory.instances.drop(instanceId);
  memory.watchers.notify([instanceId]);
  return result;
}
