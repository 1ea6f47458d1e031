/** The rows of a container that a feed or a query may see. */
import type { SQLInputValue } from "node:sqlite";
import { effectivePartitionKey } from "../../protocol/effective-partition-key.ts";
import { completeKey, type PartitionKey } from "../../protocol/partition-key.ts";
import type { ContainerState } from "../container-state.ts";
import type { Partition } from "../store/partition.ts";

/** The conditions that a request names, all of which must hold. None means the whole container. */
export interface FeedScope {
  /** A whole key, or the first components of a hierarchical one. */
  readonly partitionKey?: PartitionKey;
  /** The id of a physical partition. */
  readonly rangeId?: string;
  readonly epkRange?: EpkRange;
}

export interface EpkRange {
  readonly minInclusive: string;
  readonly maxExclusive: string;
}

/** A condition on the columns of a row `d`. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

export interface ResolvedScope {
  readonly conditions: readonly Condition[];
  /** The physical partitions in which the rows lie. */
  readonly partitions: readonly Partition[];
  /** The text of the key if the scope is one logical partition. */
  readonly pk: string | undefined;
}

/** Greater than every continuation of an effective partition key. */
const AFTER_PREFIX = "FF";

/** Throws 410/1002 for a physical partition that is not there, 400/1001 for a key that is no key of the container. */
export function resolveScope(state: ContainerState, scope: FeedScope): ResolvedScope {
  const conditions = timeToLive(state);
  const ranges: EpkRange[] = [];
  let pk: string | undefined;
  if (scope.partitionKey !== undefined) {
    const key = keyScope(state, scope.partitionKey);
    pk = key.text;
    if (key.text === undefined) conditions.push(within(key.range));
    else conditions.push({ sql: "d.pk = ?", values: [key.text] });
    ranges.push(key.range);
  }
  if (scope.rangeId !== undefined) {
    const partition = state.partition(scope.rangeId);
    if (state.partitions.length > 1) conditions.push(within(partition));
    ranges.push(partition);
  }
  if (scope.epkRange !== undefined) {
    conditions.push(within(scope.epkRange));
    ranges.push(scope.epkRange);
  }
  const partitions = state.partitions.filter((partition) =>
    ranges.every((range) => overlaps(partition, range)),
  );
  return { conditions, partitions, pk };
}

function keyScope(
  state: ContainerState,
  key: PartitionKey,
): { readonly text?: string; readonly range: EpkRange } {
  const { partitionKey } = state.definition;
  const complete = completeKey(key, partitionKey);
  const isPrefix =
    partitionKey.kind === "MultiHash" && complete.length > 0 && complete.length < partitionKey.paths.length;
  if (!isPrefix) {
    const { text, hash } = state.logicalPartition(key);
    const epk = hash();
    return { text, range: { minInclusive: epk, maxExclusive: epk + AFTER_PREFIX } };
  }
  const prefix = effectivePartitionKey(complete, partitionKey);
  return { range: { minInclusive: prefix, maxExclusive: prefix + AFTER_PREFIX } };
}

/** Makes the condition that hides expired rows that are not removed yet. */
function timeToLive(state: ContainerState): Condition[] {
  if (state.definition.defaultTtlSeconds === undefined) return [];
  return [{ sql: "(d.expires_at IS NULL OR d.expires_at > ?)", values: [state.store.now()] }];
}

function within({ minInclusive, maxExclusive }: EpkRange): Condition {
  return { sql: "d.epk >= ? AND d.epk < ?", values: [minInclusive, maxExclusive] };
}

function overlaps(left: EpkRange, right: EpkRange): boolean {
  return left.minInclusive < right.maxExclusive && right.minInclusive < left.maxExclusive;
}
