/** Instances and their children. */
import { type InstanceTree, ProviderError } from "@duroxide-ts/core/stores";
import type { Call } from "../requests/call.ts";
import { READ_PATIENCE_MS, readNamed } from "../store/read-instance.ts";
import type { Store } from "../store/store.ts";
import { ADMIN_PATIENCE_MS, IS_NAMED } from "./named-instances.ts";

export interface Child {
  readonly instanceId: string;
  readonly parentInstanceId: string;
}

const CHILDREN = `SELECT c.instanceId, c.parentInstanceId FROM c
  WHERE ${IS_NAMED} AND ARRAY_CONTAINS(@parents, c.parentInstanceId)`;

export async function childrenOf(
  store: Store,
  call: Call,
  parents: readonly string[],
): Promise<readonly Child[]> {
  if (parents.length === 0) return [];
  const parameters = [{ name: "@parents", value: [...parents] }];
  return store.requests.queryAll<Child>(call, { query: CHILDREN, parameters });
}

export async function listChildren(store: Store, instanceId: string): Promise<readonly string[]> {
  const call = store.requests.call("listChildren", READ_PATIENCE_MS);
  return (await childrenOf(store, call, [instanceId])).map((child) => child.instanceId);
}

export async function getParentId(store: Store, instanceId: string): Promise<string | undefined> {
  const operation = "getParentId";
  const instance = await readNamed(store, store.requests.call(operation, READ_PATIENCE_MS), instanceId);
  if (instance === undefined) throw ProviderError.notFound(operation, instanceId);
  return instance.document.parentInstanceId ?? undefined;
}

export async function getInstanceTree(store: Store, instanceId: string): Promise<InstanceTree> {
  const call = store.requests.call("getInstanceTree", ADMIN_PATIENCE_MS);
  return { rootId: instanceId, allIds: await treeOf(store, call, instanceId) };
}

/** Children before their parents. One question for each generation. */
export async function treeOf(store: Store, call: Call, rootId: string): Promise<readonly string[]> {
  const seen = new Set([rootId]);
  let generation: readonly string[] = [rootId];
  while (generation.length > 0) {
    const children = await childrenOf(store, call, generation);
    generation = children.map(({ instanceId }) => instanceId).filter((id) => !seen.has(id));
    for (const id of generation) seen.add(id);
  }
  return [...seen].reverse();
}
