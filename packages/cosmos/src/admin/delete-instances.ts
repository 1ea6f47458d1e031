/**
 * Deletes instances with everything they own (docs/reference/provider-contract.md §16; hazards W4, W46, W47), after all
 * checks. A single instance is deleted by one batch if its documents fit; otherwise an intent comes first (deletion.ts).
 */
import { type DeleteOptions, type DeleteResult, ProviderError } from "@duroxide-ts/core";
import { NOTHING_DELETED, sumOfDeletions } from "@duroxide-ts/core/stores";
import { type Instance, isNamed, statusOf } from "../documents/instance.ts";
import { readInstance, readNamed } from "../leases/read-instance.ts";
import type { Memory } from "../memory/memory.ts";
import { ADMIN_PATIENCE_MS } from "../memory/waits.ts";
import type { Call, Service } from "../service/service.ts";
import { beginDeletion, finishDeletion, finishDeletionOf, type NewDeletion } from "./deletion.ts";
import { type Child, childrenOf, treeOf } from "./instance-tree.ts";
import { targetOf } from "./is-stored.ts";
import { deleteMessagesOfChildren } from "./late-children.ts";
import { deleteAtOnce } from "./wipe-partition.ts";

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
  if (instance === undefined || !isNamed(instance)) {
    // Its deletion may have begun in a process that died; without a worker no other process completes it.
    await finishDeletionOf(memory, call, instanceId);
    throw ProviderError.notFound(operation, instanceId);
  }
  const { parentInstanceId } = instance.document;
  // A child may be created after its parent was deleted. It then has no parent that can be deleted instead.
  const parent = parentInstanceId === null ? undefined : await readNamed(call, parentInstanceId);
  if (parent !== undefined) throw ProviderError.isChild(operation, instanceId, parent.document.instanceId);
  const deleted = await deleteTree(memory, call, instanceId, () => options.force === true);
  // Another process has deleted it meanwhile, or a replica that lags behind does not show it.
  if (deleted === undefined) throw ProviderError.notFound(operation, instanceId);
  return withLateChildren(memory, call, deleted);
}

/** Deletes exactly these instances, or none. */
export async function deleteInstancesAtomic(
  service: Service,
  memory: Memory,
  instanceIds: readonly string[],
  options: DeleteOptions = {},
): Promise<DeleteResult> {
  const call = service.call("deleteInstancesAtomic", ADMIN_PATIENCE_MS);
  const ids = [...new Set(instanceIds)];
  for (let attempt = 1; ; attempt++) {
    const instances = await existing(call, ids, () => options.force === true);
    const orphan = await childBeside(call, instances, ids);
    if (orphan !== undefined) {
      throw ProviderError.orphanedChild(call.operation, orphan.parentInstanceId, orphan.instanceId);
    }
    const result = await tryDelete(memory, call, instances);
    if (result !== undefined) return withLateChildren(memory, call, { ids, result });
    await call.again(attempt);
  }
}

/** What was deleted. */
export interface DeletedTree {
  readonly ids: readonly string[];
  readonly result: DeleteResult;
}

/**
 * Deletes an instance with its children, which may become more meanwhile. `undefined` if none of them exists. Rejects
 * with `instance-still-running` if one is running that may not be.
 */
export async function deleteTree(
  memory: Memory,
  call: Call,
  rootId: string,
  mayRun: (instanceId: string) => boolean,
): Promise<DeletedTree | undefined> {
  for (let attempt = 1; ; attempt++) {
    // Children come before their parents.
    const ids = await treeOf(call, rootId);
    const instances = await existing(call, ids, mayRun);
    if (instances.length === 0) return undefined;
    const hasGrown = (await childBeside(call, instances, ids)) !== undefined;
    const result = hasGrown ? undefined : await tryDelete(memory, call, instances);
    if (result !== undefined) return { ids, result };
    await call.again(attempt);
  }
}

async function withLateChildren(
  memory: Memory,
  call: Call,
  { ids, result }: DeletedTree,
): Promise<DeleteResult> {
  if (result.instancesDeleted === 0) return result;
  return sumOfDeletions(result, await deleteLateChildren(memory, call, new Set(ids)));
}

/**
 * What came of the children of deleted instances meanwhile. A child that began is deleted with its own; until then it may
 * have answered, so everything is looked for once more.
 */
export async function deleteLateChildren(
  memory: Memory,
  call: Call,
  deleted: ReadonlySet<string>,
): Promise<DeleteResult> {
  const parents = new Set(deleted);
  let total = NOTHING_DELETED;
  for (;;) {
    const { messagesDeleted, begun } = await deleteMessagesOfChildren(call, parents);
    total = sumOfDeletions(total, { ...NOTHING_DELETED, queueMessagesDeleted: messagesDeleted });
    if (begun.length === 0) return total;
    for (const id of begun) {
      parents.add(id);
      const tree = await deleteTree(memory, call, id, () => true);
      if (tree === undefined) continue;
      for (const each of tree.ids) parents.add(each);
      total = sumOfDeletions(total, tree.result);
    }
  }
}

async function existing(
  call: Call,
  ids: readonly string[],
  mayRun: (instanceId: string) => boolean,
): Promise<readonly Instance[]> {
  const found = await Promise.all(ids.map((id) => readNamed(call, id)));
  const instances = found.filter((instance) => instance !== undefined);
  const running = instances
    .filter((instance) => statusOf(instance).status === "Running")
    .find(({ document }) => !mayRun(document.instanceId));
  if (running !== undefined) throw ProviderError.stillRunning(call.operation, running.document.instanceId);
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
async function tryDelete(
  memory: Memory,
  call: Call,
  instances: readonly Instance[],
): Promise<DeleteResult | undefined> {
  const root = instances.at(-1);
  if (root === undefined) return NOTHING_DELETED;
  const result = instances.length === 1 ? await deleteOne(memory, call, root) : "large";
  if (result !== "large") return result === "changed" ? undefined : result;
  const deletion = await beginDeletion(memory, call, listOf(call, instances, root), root);
  return deletion && finishDeletion(memory, call, deletion);
}

function listOf(call: Call, instances: readonly Instance[], root: Instance): NewDeletion {
  const { instanceId } = root.document;
  return { key: call.service.random.uuid(), root: instanceId, targets: instances.map(targetOf) };
}

async function deleteOne(
  memory: Memory,
  call: Call,
  instance: Instance,
): Promise<DeleteResult | "changed" | "large"> {
  const { instanceId } = instance.document;
  const result = await deleteAtOnce(call, instance);
  if (typeof result !== "object") return result;
  memory.instances.drop(instanceId);
  memory.watchers.notify([instanceId]);
  return result;
}
