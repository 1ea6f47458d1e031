/**
 * Splits and merges of physical partitions. A partition that is split or merged is gone: its id is never used again,
 * and those that take its place name it among their parents.
 *
 * - partition-changes.PC1: What takes the place of partitions covers their range, without a gap.
 */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { middleOfRange } from "../../protocol/effective-partition-key.ts";
import { invariant } from "../../protocol/invariant.ts";
import type { PartitionKeyDefinition } from "../../protocol/partition-key.ts";
import type { Connection } from "./connection.ts";
import type { Partition } from "./partition.ts";
import { itemTable } from "./schema.ts";

interface NewPartition {
  readonly id: string;
  readonly minInclusive: string;
  readonly maxExclusive: string;
  readonly parents: readonly Partition[];
}

/** Divides the range of a partition in the middle. Returns the ids of the two new ones. */
export function splitPartition(
  connection: Connection,
  all: readonly Partition[],
  split: Partition,
  definition: PartitionKeyDefinition,
): readonly string[] {
  const { minInclusive, maxExclusive } = split;
  const middle = middleOfRange(minInclusive, maxExclusive, definition);
  if (middle <= minInclusive) throw CosmosError.badRequest("The partition is too small to be split.");
  const [first, second] = [nextId(all), nextId(all) + 1].map(String);
  if (first === undefined || second === undefined) return [];
  replace(
    connection,
    [split],
    [
      { id: first, minInclusive, maxExclusive: middle, parents: [split] },
      { id: second, minInclusive: middle, maxExclusive, parents: [split] },
    ],
  );
  return [first, second];
}

/** Makes one partition of two neighbours. Returns its id. */
export function mergePartitions(
  connection: Connection,
  all: readonly Partition[],
  [left, right]: readonly [Partition, Partition],
): string {
  if (left.maxExclusive !== right.minInclusive) {
    throw CosmosError.badRequest(
      `The partitions ${left.id} and ${right.id} are no neighbours: only those whose ranges meet are merged.`,
    );
  }
  const id = String(nextId(all));
  const { minInclusive } = left;
  const { maxExclusive } = right;
  replace(connection, [left, right], [{ id, minInclusive, maxExclusive, parents: [left, right] }]);
  return id;
}

/**
 * Returns an id greater than every id that was used, because the partitions that came last are there or have
 * descendants.
 */
function nextId(all: readonly Partition[]): number {
  return Math.max(...all.map(({ id }) => Number(id))) + 1;
}

function replace(connection: Connection, gone: readonly Partition[], added: readonly NewPartition[]): void {
  const covers =
    gone[0]?.minInclusive === added[0]?.minInclusive &&
    gone.at(-1)?.maxExclusive === added.at(-1)?.maxExclusive;
  invariant(covers, "partition-changes.PC1");
  for (const partition of added) insert(connection, partition);
  for (const { container, id } of gone) {
    connection.run("DELETE FROM partitions WHERE container = ? AND id = ?", container, id);
  }
}

function insert(connection: Connection, { id, minInclusive, maxExclusive, parents }: NewPartition): void {
  const [{ container } = { container: 0 }] = parents;
  // Those that are merged may have ancestors in common; named twice, they would double with every further merge.
  const ancestors = new Set(parents.flatMap((parent) => [...parent.parents, parent.id]));
  const held = connection.get<{ items: number; bytes: number }>(
    `SELECT count(*) AS items, coalesce(sum(length(CAST(body AS BLOB))), 0) AS bytes
     FROM ${itemTable(container)} WHERE epk >= ? AND epk < ?`,
    minInclusive,
    maxExclusive,
  );
  connection.run(
    `INSERT INTO partitions (container, id, min_inclusive, max_exclusive, lsn, last_seq, items, bytes, parents)
     VALUES (?, ?, ?, ?, ?, (SELECT max(last_seq) FROM partitions WHERE container = ?), ?, ?, ?)`,
    container,
    id,
    minInclusive,
    maxExclusive,
    Math.max(...parents.map(({ lsn }) => lsn)),
    container,
    held?.items ?? 0,
    held?.bytes ?? 0,
    JSON.stringify([...ancestors]),
  );
}
