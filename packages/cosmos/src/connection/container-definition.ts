/**
 * The definition of our container with reasons: the partition key, the time to live and the indexes. All other settings
 * are left to the administrator of the account.
 */
import type { ContainerDefinition } from "@azure/cosmos";
import { DUE_ORDER } from "../service/due-order.ts";

export const PARTITION_KEY_PATH = "/instanceId";

/** Documents do not expire unless they have their own time to live, as receipts of delivered messages do. */
export const DEFAULT_TTL = -1;

/** Only what is blocked has it (documents/blocked.ts). */
export const BLOCKED_PATH = "/duroxideTs/blocked/sinceMs";

/** The purpose of an index, for the warning about a container without it. */
export interface NeededIndex {
  /** One path, or several that are sorted by together, ascending; without a suffix. */
  readonly paths: readonly [string, ...string[]];
  readonly serves: string;
}

/**
 * Paths that queries filter by. Payloads are not among them: their index would cost several times the write. Nor are
 * paths of which few documents are left by the other conditions, and those that a composite index has behind a path that
 * each query fixes: `/dispatchSlot`, `/executionId` (docs/decisions/cosmos-documents.md).
 */
export const NEEDED_PATHS: readonly NeededIndex[] = [
  { paths: ["/type"], serves: "every query" },
  { paths: ["/instanceId"], serves: "every query over several instances" },
  { paths: ["/visibleAt"], serves: "finding due work" },
  { paths: ["/enqueuedAt"], serves: "finding due work" },
  { paths: ["/lockedUntil"], serves: "finding expired locks" },
  { paths: ["/eventId"], serves: "reading histories" },
  { paths: ["/status"], serves: "listing instances by status" },
  { paths: ["/sessionId"], serves: "sessions" },
  { paths: ["/ownerId"], serves: "sessions" },
  { paths: ["/lastActivity"], serves: "sessions" },
  { paths: ["/parentInstanceId"], serves: "finding the children of an instance" },
  { paths: ["/createdAt"], serves: "listing instances in order" },
  { paths: ["/duroxideTs/completedAt"], serves: "deleting instances by their end" },
  { paths: [BLOCKED_PATH], serves: "listing what waits for fitting code" },
  { paths: ["/tag"], serves: "activities with a tag" },
];

/**
 * Further paths of new containers, which not everybody needs. A container without them gets no warning, but advice: each
 * path costs the writes of the documents that have it (docs/decisions/queries.md, docs/decisions/cosmos-documents.md).
 */
export const ADVISED_PATHS: readonly NeededIndex[] = [
  {
    paths: ["/orchestrationName"],
    serves: "lists of instances by name, which read every instance without it",
  },
  {
    paths: ["/duroxideTs/tags/[]"],
    serves: "lists of instances by tag, which read every instance without it",
  },
  {
    paths: ["/lockToken"],
    serves: "workers in Rust on this container, of which each commit reads every instance without it",
  },
];

/** Properties that queries sort by together; without its composite index the service rejects such a query. */
export const NEEDED_COMPOSITES: readonly NeededIndex[] = [
  {
    paths: ["/type", "/dispatchSlot", "/visibleAt", "/enqueuedAt"],
    serves: "finding due work by slot, as Rust workers do",
  },
  { paths: ["/type", "/executionId", "/eventId"], serves: "reading histories in order" },
  { paths: ["/type", "/status"], serves: "listing instances by status" },
  { paths: DUE_ORDER, serves: "finding due work in order" },
  { paths: ["/type", "/createdAt"], serves: "listing instances in order" },
];

/** The SDK's `IndexingPolicy`, which is also the format of `--idx` of the az commands. */
export type IndexingPolicy = NonNullable<ContainerDefinition["indexingPolicy"]>;

export function indexingPolicy(): IndexingPolicy {
  return {
    indexingMode: "consistent",
    automatic: true,
    includedPaths: [...NEEDED_PATHS, ...ADVISED_PATHS].map(({ paths: [path] }) => ({ path: `${path}/?` })),
    excludedPaths: [{ path: "/*" }],
    compositeIndexes: NEEDED_COMPOSITES.map(({ paths }) =>
      paths.map((path) => ({ path, order: "ascending" as const })),
    ),
  };
}

/** A new object for each call, because the SDK changes its argument. */
export function containerDefinition(id: string): ContainerDefinition {
  return {
    id,
    partitionKey: { paths: [PARTITION_KEY_PATH], version: 2 },
    defaultTtl: DEFAULT_TTL,
    indexingPolicy: indexingPolicy(),
  };
}
