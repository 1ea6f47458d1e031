/** A physical partition: a range of effective partition keys with a total order of its writes. */
import { splitPoints } from "../../protocol/effective-partition-key.ts";
import type { PartitionKeyDefinition } from "../../protocol/partition-key.ts";
import type { Connection } from "./connection.ts";
import { Journal } from "./journal.ts";

export interface Partition {
  readonly container: number;
  /** "0", "1", … */
  readonly id: string;
  readonly minInclusive: string;
  readonly maxExclusive: string;
  /** Ids of the partitions that this one came from by splits and merges, the oldest first. */
  readonly parents: readonly string[];
  /** Position of the last committed write. */
  lsn: number;
  /** Number of committed items, with those that have expired and are not removed yet. */
  items: number;
  /** Size in bytes of their UTF-8 texts. */
  bytes: number;
  readonly journal: Journal;
}

/** The key space ends here; every effective partition key is less. */
const END = "FF";

/** The service's counters do not begin at zero either; a token of 0 would look like none. */
const FIRST_LSN = 1;

export function createPartitions(
  connection: Connection,
  container: number,
  count: number,
  definition: PartitionKeyDefinition,
): void {
  const bounds = ["", ...splitPoints(count, definition), END];
  for (let index = 0; index < count; index++) {
    connection.run(
      "INSERT INTO partitions (container, id, min_inclusive, max_exclusive, lsn, last_seq, items, bytes, parents) VALUES (?, ?, ?, ?, ?, 0, 0, 0, '[]')",
      container,
      String(index),
      bounds[index] ?? "",
      bounds[index + 1] ?? END,
      FIRST_LSN,
    );
  }
}

export interface StoredPartitions {
  /** The partitions in the order of their ranges. */
  readonly partitions: readonly Partition[];
  /** The highest number of a document that was ever inserted into the container. */
  readonly lastSeq: number;
}

export function loadPartitions(connection: Connection, container: number): StoredPartitions {
  const rows = connection.all<PartitionRow>(
    "SELECT id, min_inclusive, max_exclusive, lsn, last_seq, items, bytes, parents FROM partitions WHERE container = ? ORDER BY min_inclusive",
    container,
  );
  return {
    partitions: rows.map((row) => ({
      container,
      id: row.id,
      minInclusive: row.min_inclusive,
      maxExclusive: row.max_exclusive,
      parents: JSON.parse(row.parents),
      lsn: row.lsn,
      items: row.items,
      bytes: row.bytes,
      journal: new Journal(),
    })),
    lastSeq: Math.max(0, ...rows.map((row) => row.last_seq)),
  };
}

interface PartitionRow {
  readonly id: string;
  readonly min_inclusive: string;
  readonly max_exclusive: string;
  readonly lsn: number;
  readonly last_seq: number;
  readonly items: number;
  readonly bytes: number;
  /** A JSON array. */
  readonly parents: string;
}
