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
import { beginDeletion, finishDeletion, type NewDeletion, targetOf } from "./deletion.ts";
import { childrenOf, treeOf } from "./instance-tree.ts";
import { deleteQueuedStarts } from "./queued-starts.ts";
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
  if (instance === undefined || !isNamed(instance)) throw ProviderError.notFound(operation, instanceId);
  const { parentInstanceId } = instance.document;
  // A child may be created after its parent was deleted. It then has no parent that can be deleted instead.
  const parent = parentInstanceId === null ? undefined : await readNamed(call, parentInstanceId);
  if (parent !== undefined) throw ProviderError.isChild(operation, instanceId, parent.document.instanceId);
  const tree = await treeOf(call, instanceId);
  const result = await deleteWithStarts(memory, call, tree, options.force === true);
  // It was deleted meanwhile, or a replica that lags behind does not show it.
  if (result === undefined) throw ProviderError.notFound(operation, instanceId);
  return result;
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
  return (await deleteWithStarts(memory, call, ids, options.force === true)) ?? NOTHING_DELETED;
}

async function deleteWithStarts(
  memory: Memory,
  call: Call,
  instanceIds: readonly string[],
  force: boolean,
): Promise<DeleteResult | undefined> {
  const result = await deleteAll(memory, call, instanceIds, () => force);
  if (result === undefined || result.instancesDeleted === 0) return result;
  const starts = await deleteQueuedStarts(call, new Set(instanceIds));
  return sumOfDeletions(result, { ...NOTHING_DELETED, queueMessagesDeleted: starts });
}

/**
 * Children come before their parents, so the root of a tree is the last one. Rejects with `instance-still-running` if
 * one is running that may not be. `undefined` if none exists.
 */
export async function deleteAll(
  memory: Memory,
  call: Call,
  instanceIds: readonly string[],
  mayRun: (instanceId: string) => boolean,
): Promise<DeleteResult | undefined> {
  for (let attempt = 1; ; attempt++) {
    const instances = await deletable(call, instanceIds, mayRun);
    const root = instances.at(-1);
    if (root === undefined) return undefined;
    const result = instances.length === 1 ? await deleteOne(memory, call, root) : "large";
    if (typeof result === "object") return result;
    const deletion =
      result === "large" ? await beginDeletion(memory, call, listOf(call, instances, root), root) : undefined;
    if (deletion !== undefined) return finishDeletion(memory, call, deletion);
    await call.again(attempt);
  }
}

/** Those of the instances that exist, if all of them can be deleted. */
async function deletable(
  call: Call,
  instanceIds: readonly string[],
  mayRun: (instanceId: string) => boolean,
): Promise<readonly Instance[]> {
  const found = await Promise.all(instanceIds.map((id) => readNamed(call, id)));
  const instances = found.filter((instance) => instance !== undefined);
  const ids = instances.map(({ document }) => document.instanceId);
  const running = instances
    .filter((instance) => statusOf(instance).status === "Running")
    .find(({ document }) => !mayRun(document.instanceId));
  if (running !== undefined) throw ProviderError.stillRunning(call.operation, running.document.instanceId);
  const orphan = (await childrenOf(call, ids)).find(({ instanceId }) => !instanceIds.includes(instanceId));
  if (orphan !== undefined) {
    throw ProviderError.orphanedChild(call.operation, orphan.parentInstanceId, orphan.instanceId);
  }
  return instances;
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
