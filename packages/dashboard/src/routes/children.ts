/** `GET /api/children`: an instance and its descendants, with their states. */
import { ProviderError } from "@duroxide-ts/core";
import type { TreeView } from "../page/shapes/instance.ts";
import type { InstanceRow } from "../page/shapes/instances.ts";
import { rowOf } from "../source/instance-rows.ts";
import type { Source } from "../source/source.ts";
import { parameter, type ReadRoute } from "./route.ts";

/** Each node is a read of its own. */
const MOST_NODES = 200;

export const children: ReadRoute = {
  path: "children",
  isLong: true,
  async read(call): Promise<TreeView> {
    const { source } = call;
    const rootId = await rootOf(source, parameter(call, "id"));
    const { allIds } = await source.admin.tree(rootId);
    // Children come before their parents.
    const ids = allIds.toReversed();
    const nodes = await Promise.all(ids.slice(0, MOST_NODES).map((id) => nodeOf(source, id)));
    return {
      rootId,
      nodes: nodes.filter((node) => node !== undefined),
      more: Math.max(0, ids.length - MOST_NODES),
    };
  },
};

async function rootOf({ admin }: Source, instanceId: string): Promise<string> {
  const seen = new Set<string>();
  for (let id = instanceId; !seen.has(id); ) {
    seen.add(id);
    const { parentInstanceId } = await admin.info(id);
    if (parentInstanceId === undefined) return id;
    id = parentInstanceId;
  }
  return instanceId;
}

/** A child that was scheduled but not begun has no instance yet. */
async function nodeOf({ admin }: Source, instanceId: string): Promise<InstanceRow | undefined> {
  try {
    return rowOf(await admin.info(instanceId));
  } catch (error) {
    if (ProviderError.is(error, "instance-not-found")) return undefined;
    throw error;
  }
}
