/** Instances and their children. */
import { type InstanceTree, ProviderError } from "@duroxide-ts/core";
import { readNamed } from "../leases/read-instance.ts";
import { ADMIN_PATIENCE_MS, READ_PATIENCE_MS } from "../memory/waits.ts";
import type { Call, Service } from "../service/service.ts";
import { IS_NAMED } from "./named-instances.ts";

export interface Child {
  readonly instanceId: string;
  readonly parentInstanceId: string;
}

const CHILDREN = `SELECT c.instanceId, c.parentInstanceId FROM c
  WHERE ${IS_NAMED} AND ARRAY_CONTAINS(@parents, c.parentInstanceId)`;

export async function childrenOf(call: Call, parents: readonly string[]): Promise<readonly Child[]> {
  if (parents.length === 0) return [];
  const parameters = [{ name: "@parents", value: [...parents] }];
  return call.queryAll<Child>({ query: CHILDREN, parameters });
}

export async function listChildren(service: Service, instanceId: string): Promise<readonly string[]> {
  const call = service.call("listChildren", READ_PATIENCE_MS);
  return (await childrenOf(call, [instanceId])).map((child) => child.instanceId);
}

export async function getParentId(service: Service, instanceId: string): Promise<string | undefined> {
  const operation = "getParentId";
  const instance = await readNamed(service.call(operation, READ_PATIENCE_MS), instanceId);
  if (instance === undefined) throw ProviderError.notFound(operation, instanceId);
  return instance.document.parentInstanceId ?? undefined;
}

export async function getInstanceTree(service: Service, instanceId: string): Promise<InstanceTree> {
  const call = service.call("getInstanceTree", ADMIN_PATIENCE_MS);
  return { rootId: instanceId, allIds: await treeOf(call, instanceId) };
}

/** Children before their parents. One query for each generation. */
export async function treeOf(call: Call, rootId: string): Promise<readonly string[]> {
  const seen = new Set([rootId]);
  let generation: readonly string[] = [rootId];
  while (generation.length > 0) {
    const children = await childrenOf(call, generation);
    generation = children.map(({ instanceId }) => instanceId).filter((id) => !seen.has(id));
    for (const id of generation) seen.add(id);
  }
  return [...seen].reverse();
}
