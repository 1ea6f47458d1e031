/**
 * A container as its operations see it: definition, table, physical partitions, and the keys of logical ones.
 *
 * - container-state.CS1: Each key belongs to one physical partition.
 */
import { CosmosError } from "../protocol/cosmos-error.ts";
import { effectivePartitionKey } from "../protocol/effective-partition-key.ts";
import { invariant } from "../protocol/invariant.ts";
import type { JsonObject } from "../protocol/json.ts";
import {
  completeKey,
  type PartitionKey,
  partitionKeyOf,
  partitionKeyText,
} from "../protocol/partition-key.ts";
import { parsePropertyPath } from "../protocol/property-path.ts";
import type { Query } from "../sql/index.ts";
import type { ContainerDefinition } from "./definition/container-definition.ts";
import { adviseQuery, type QueryAdvice } from "./definition/query-advice.ts";
import { ItemTable } from "./store/item-table.ts";
import { loadPartitions, type Partition } from "./store/partition.ts";
import { Recent } from "./store/recent.ts";
import { itemTable } from "./store/schema.ts";
import type { Store } from "./store/store.ts";

/** One logical partition. */
export interface LogicalPartition {
  /** Canonical text of the key, as in the column `pk`. */
  readonly text: string;
  /** Its effective partition key, upper-case hex. */
  hash(): string;
  readonly partition: Partition;
}

/** Number of keys whose hash is remembered. */
const RECENT_KEYS = 10_000;

const RECENT_ADVICE = 500;

export class ContainerState {
  readonly store: Store;
  /** The number of its row in the catalogue, never used twice. */
  readonly number: number;
  readonly rid: string;
  /** `dbs/<rid>/colls/<rid>/` */
  readonly self: string;
  readonly table: ItemTable;
  readonly partitions: readonly Partition[];
  readonly definition: ContainerDefinition;
  #lastSeq: number;
  readonly #keyPaths: readonly (readonly string[])[];
  readonly #logical = new Recent<string, LogicalPartition>(RECENT_KEYS);
  readonly #done = new Set<string>();
  readonly #advice = new Recent<string, QueryAdvice>(RECENT_ADVICE);

  constructor(
    store: Store,
    identity: { readonly number: number; readonly rid: string; readonly self: string },
    definition: ContainerDefinition,
  ) {
    this.store = store;
    this.number = identity.number;
    this.rid = identity.rid;
    this.self = identity.self;
    this.definition = definition;
    this.#keyPaths = definition.partitionKey.paths.map(parsePropertyPath);
    this.table = new ItemTable(store.connection, itemTable(identity.number));
    const { partitions, lastSeq } = loadPartitions(store.connection, identity.number);
    this.partitions = partitions;
    this.#lastSeq = lastSeq;
  }

  /** Returns the number of the item inserted last, which is close to the count of items. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  nextSeq(): number {
    return ++this.#lastSeq;
  }

  /** Finds the logical partition that a request names; 400/1001 unless the key has all its components. */
  logicalPartition(key: PartitionKey | undefined): LogicalPartition {
    const { partitionKey } = this.definition;
    if (key === undefined) throw wrongKey("The header x-ms-documentdb-partitionkey is missing.");
    const complete = completeKey(key, partitionKey);
    if (complete.length !== partitionKey.paths.length) {
      throw wrongKey(
        `The partition key has ${complete.length} components; the container's has ${partitionKey.paths.length}.`,
      );
    }
    const text = partitionKeyText(complete);
    checkKeySize(text, partitionKey.version);
    return this.#logical.get(text, () => this.#logicalPartition(text, complete));
  }

  /** Returns the canonical text of an item's partition key; 400 if it holds an object or an array there. */
  keyTextOf(item: JsonObject): string {
    return partitionKeyText(partitionKeyOf(item, this.#keyPaths));
  }

  /** Finds the physical partition with this id; 410/1002, as after a split, if there is none. */
  partition(rangeId: string): Partition {
    const found = this.partitions.find(({ id }) => id === rangeId);
    if (found !== undefined) return found;
    throw new CosmosError({
      status: 410,
      substatus: 1002,
      code: "Gone",
      message: `There is no partition key range ${JSON.stringify(rangeId)}. Read the ranges of the container again.`,
    });
  }

  /** Returns the position of the latest write, as the open transaction sees it. */
  lsnOf(partition: Partition): number {
    return this.store.current?.lsnOf(partition) ?? partition.lsn;
  }

  isPrepared(what: string): boolean {
    return this.#done.has(what);
  }

  /** Prepares something for this container, such as an index, the first time that it is needed. */
  once(what: string, prepare: () => void): void {
    if (this.isPrepared(what)) return;
    prepare();
    // What is prepared in a transaction may be undone with it.
    if (!this.store.connection.isInTransaction) this.#done.add(what);
  }

  /** Derives the consequences of the indexing policy for a query; 400 if it refuses the query. */
  advice(query: Query): QueryAdvice {
    return this.#advice.get(query.text, () => adviseQuery(query, this.definition.indexingPolicy));
  }

  partitionOf(epk: string): Partition {
    const [first, ...others] = this.partitions;
    const found = others.findLast(({ minInclusive }) => minInclusive <= epk) ?? first;
    invariant(
      found !== undefined && epk >= found.minInclusive && epk < found.maxExclusive,
      "container-state.CS1",
    );
    return found;
  }

  /**
   * Makes a logical partition. Its hash is computed when it is needed first: reads in a single physical partition
   * never do.
   */
  #logicalPartition(text: string, key: PartitionKey): LogicalPartition {
    let epk: string | undefined;
    const hash = (): string => {
      epk ??= effectivePartitionKey(key, this.definition.partitionKey);
      return epk;
    };
    const [only, ...others] = this.partitions;
    const partition = only !== undefined && others.length === 0 ? only : this.partitionOf(hash());
    return { text, partition, hash };
  }
}

/** Largest size in bytes of a value of a key, by the version of hashing. */
const MAX_KEY_BYTES = { 1: 101, 2: 2048 };

/**
 * Refuses keys that are too long. The text is longer than the values by its brackets, quotes and escapes, which short
 * keys need not be freed of.
 */
function checkKeySize(text: string, version: 1 | 2): void {
  const most = MAX_KEY_BYTES[version];
  if (text.length * 3 <= most) return;
  const values: readonly unknown[] = JSON.parse(text);
  if (values.every((value) => Buffer.byteLength(String(value)) <= most)) return;
  throw CosmosError.badRequest(
    `The partition key is too long: a value of it may have ${most} bytes. Use a shorter one.`,
  );
}

export function wrongKey(reason: string): CosmosError {
  return CosmosError.badRequest(
    `${reason} Send the partition key of the item, one value for each path of the container's definition.`,
    { substatus: 1001 },
  );
}
