/** Everything that is known of one instance, in a handful of reads. Payloads are the texts of the store. */
import type {
  Blocked,
  InstanceInfo,
  InstanceSummary,
  InstanceTimeline,
  PayloadCodec,
} from "@duroxide-ts/core";
import { ProviderError } from "@duroxide-ts/core/client";
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
  const { client, provider, codec } = store;
  const [listed, timeline] = await Promise.all([
    readSummary(store, id),
    client.admin.timeline(id, executionId),
  ]);
  const [status, entries, blocked = listed.blocked, executions, childIds] = await Promise.all([
    provider.getInstanceStatus(id),
    provider.getKvValues(id),
    readBlocked(store, listed),
    client.admin.executions(id),
    provider.admin.listChildren(id),
  ]);
  const customStatus = status?.customStatus ?? undefined;
  return {
    summary: { ...listed, ...(blocked !== undefined && { blocked }) },
    timeline,
    executionCount: executions.length,
    ...(customStatus !== undefined && { customStatus }),
    entries: [...entries].map(([key, value]) => ({ key, value })),
    children: await Promise.all(childIds.slice(0, MOST_CHILDREN).map((child) => readRelative(store, child))),
    ...(tree && { tree: await readTree(store, id) }),
    codec,
  };
}

/**
 * Blocked work that the list has not: activities with a tag that no process serves. The status of a client has it, and
 * decodes payloads; where they cannot be decoded, only the list is left.
 */
async function readBlocked({ client }: OpenStore, listed: InstanceSummary): Promise<Blocked | undefined> {
  try {
    const status = await client.handle(listed.orchestrationName, listed.instanceId).status();
    return "blocked" in status ? status.blocked?.[0] : undefined;
  } catch (error) {
    if (ProviderError.is(error)) throw error;
    return undefined;
  }
}

const MOST_CHILDREN = 20;
const MOST_RELATIVES = 200;

/** Reads the summary from the list, which has failures and blocked work; else from the instance itself. */
async function readSummary({ client }: OpenStore, id: string): Promise<InstanceSummary> {
  const info: InstanceInfo = await client.admin.info(id);
  const { instances } = await client.admin.query({
    filter: { idPrefix: id },
    order: "created-asc",
    limit: 10,
  });
  return instances.find(({ instanceId }) => instanceId === id) ?? info;
}

async function readRelative(store: OpenStore, id: string): Promise<Relative> {
  const summary = await store.client.admin.info(id).catch(() => undefined);
  if (summary === undefined) return { id, name: "", state: "unknown" };
  return { id, name: summary.orchestrationName, state: stateOf(summary, undefined) };
}

async function readTree(store: OpenStore, rootId: string): Promise<NonNullable<InstanceView["tree"]>> {
  const members: (Relative & { readonly depth: number })[] = [];
  const visit = async (id: string, depth: number): Promise<void> => {
    if (members.length >= MOST_RELATIVES) return;
    members.push({ ...(await readRelative(store, id)), depth });
    for (const child of await store.provider.admin.listChildren(id)) await visit(child, depth + 1);
  };
  await visit(rootId, 0);
  return members;
}
