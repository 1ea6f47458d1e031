/** Everything that is known of one instance, in a handful of reads. Payloads are the texts of the store. */
import type { InstanceInfo, InstanceSummary, InstanceTimeline, PayloadCodec } from "@duroxide-ts/core";
import type { OpenStore } from "../store/open-store.ts";
import { stateOf } from "./state.ts";

/** A key-value entry. */
export interface Entry {
  readonly key: string;
  /** Text as it is stored. */
  readonly value: string;
}

/** A child, or a member of the tree. */
export interface Relative {
  readonly id: string;
  readonly name: string;
  readonly state: string;
}

export interface InstanceView {
  readonly summary: InstanceSummary;
  readonly timeline: InstanceTimeline;
  /** Absent where only one execution was asked for. */
  readonly executionCount?: number;
  /** Text as it is stored. */
  readonly customStatus?: string;
  readonly entries: readonly Entry[];
  readonly children: readonly Relative[];
  readonly tree?: readonly (Relative & { readonly depth: number })[];
  readonly codec: PayloadCodec | undefined;
}

/** Rejects with `instance-not-found`. */
export async function readInstance(
  store: OpenStore,
  id: string,
  { executionId, tree }: { readonly executionId: number | undefined; readonly tree: boolean },
): Promise<InstanceView> {
  const { client, codec } = store;
  const texts = client.undecoded().handle("any", id);
  const [listed, timeline] = await Promise.all([
    readSummary(store, id),
    client.admin.timeline(id, executionId),
  ]);
  const [status, entries, executions, children] = await Promise.all([
    texts.status(),
    texts.entries(),
    client.admin.executions(id),
    readChildren(store, id, MOST_CHILDREN),
  ]);
  // The status has blocked work that the list has not: activities with a tag that no process serves.
  const [blocked = listed.blocked] = "blocked" in status ? (status.blocked ?? []) : [];
  const customStatus = "customStatus" in status ? status.customStatus : undefined;
  return {
    summary: { ...listed, ...(blocked !== undefined && { blocked }) },
    timeline,
    executionCount: executions.length,
    ...(customStatus !== undefined && { customStatus: String(customStatus) }),
    entries: [...entries].map(([key, value]) => ({ key, value: String(value) })),
    children,
    ...(tree && { tree: await readTree(store, id) }),
    codec,
  };
}

const MOST_CHILDREN = 20;
const MOST_RELATIVES = 200;

/** Reads the summary from the list, which has failures and blocked work; else from the instance itself. */
async function readSummary({ client }: OpenStore, id: string): Promise<InstanceSummary> {
  const info: InstanceInfo = await client.admin.info(id);
  const { instances } = await client.admin.query({ filter: { instanceIds: [id] } });
  return instances[0] ?? info;
}

/** The first of them, oldest first. */
async function readChildren({ client }: OpenStore, id: string, limit: number): Promise<readonly Relative[]> {
  const { instances } = await client.admin.query({ filter: { parentId: id }, order: "created-asc", limit });
  return instances.map(toRelative);
}

function toRelative(instance: InstanceInfo): Relative {
  return { id: instance.instanceId, name: instance.orchestrationName, state: stateOf(instance, undefined) };
}

async function readTree(store: OpenStore, rootId: string): Promise<NonNullable<InstanceView["tree"]>> {
  const members: (Relative & { readonly depth: number })[] = [];
  const visit = async (instance: Relative, depth: number): Promise<void> => {
    if (members.length >= MOST_RELATIVES) return;
    members.push({ ...instance, depth });
    for (const child of await readChildren(store, instance.id, MOST_RELATIVES)) await visit(child, depth + 1);
  };
  await visit(toRelative(await store.client.admin.info(rootId)), 0);
  return members;
}
