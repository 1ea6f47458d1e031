/** A container: everything that requests do with its items. The parts are in files of their own. */
import type { PartitionPosition } from "../protocol/cosmos-error.ts";
import type { PartitionKey, PartitionKeyDefinition } from "../protocol/partition-key.ts";
import { containerChildRid, numberInRid } from "../protocol/resource-id.ts";
import type { StoredProcedures } from "./catalogue/stored-procedures.ts";
import type { ContainerState } from "./container-state.ts";
import { type ChangeFeedPage, type ChangeFeedRequest, changeFeed } from "./feeds/change-feed.ts";
import { type QueryRequest, queryItems } from "./feeds/query.ts";
import { type FeedPage, type ReadFeedRequest, readFeed } from "./feeds/read-feed.ts";
import { readBehind } from "./feeds/stale-reads.ts";
import {
  type BatchMode,
  type BatchOperationResult,
  type BatchOptions,
  type BatchResult,
  executeBatch,
  refusalResult,
} from "./items/batch.ts";
import { type DeletePartitionResult, deletePartition } from "./items/delete-partition.ts";
import { executeItem } from "./items/execute-item.ts";
import type { ItemOperation, ItemResult } from "./items/item-operation.ts";
import { completeRefusal } from "./items/item-refusals.ts";
import type { Partition } from "./store/partition.ts";

/** One operation of a bulk request, with the key of its item. */
export interface BulkOperation {
  readonly partitionKey: PartitionKey;
  readonly operation: ItemOperation;
}

export interface PartitionKeyRange {
  readonly id: string;
  readonly rid: string;
  /** Effective partition keys, upper-case hex. */
  readonly minInclusive: string;
  readonly maxExclusive: string;
  readonly parents: readonly string[];
  readonly lsn: number;
}

export interface ContainerUsage {
  readonly items: number;
  /** Size in bytes of their UTF-8 texts. */
  readonly bytes: number;
}

export class Container {
  readonly databaseId: string;
  readonly id: string;
  readonly rid: string;
  /** `dbs/<rid>/colls/<rid>/` */
  readonly self: string;
  readonly storedProcedures: StoredProcedures;
  readonly #state: ContainerState;

  constructor(
    names: { readonly databaseId: string; readonly id: string },
    state: ContainerState,
    storedProcedures: StoredProcedures,
  ) {
    this.databaseId = names.databaseId;
    this.id = names.id;
    this.rid = state.rid;
    this.self = state.self;
    this.storedProcedures = storedProcedures;
    this.#state = state;
  }

  get partitionKey(): PartitionKeyDefinition {
    return this.#state.definition.partitionKey;
  }

  /**
   * Runs one operation on an item, in the open transaction or in one of its own.
   * @param key Undefined where the request named none, which is refused with 400/1001.
   * @param writesBehind Reads the state so many writes ago.
   * @throws CosmosError with the charge of the refusal and, where the key leads to one, the partition's position.
   */
  execute(key: PartitionKey | undefined, operation: ItemOperation, writesBehind = 0): ItemResult {
    const state = this.#state;
    let position: PartitionPosition | undefined;
    try {
      const logical = state.logicalPartition(key);
      const { partition } = logical;
      const execute = (): ItemResult => executeItem(state, logical, operation);
      position = { rangeId: partition.id, lsn: this.#positionOf(partition, writesBehind) };
      if (writesBehind <= 0) return execute();
      return { ...readBehind(state, [partition], writesBehind, execute), ...position };
    } catch (error) {
      throw completeRefusal(error, { position });
    }
  }

  /** Runs operations on one logical partition, in order. A refused operation is a result; a refused batch throws. */
  batch(
    key: PartitionKey | undefined,
    operations: readonly ItemOperation[],
    mode: BatchMode,
    options: BatchOptions = {},
  ): BatchResult {
    return executeBatch(this.#state, this.#state.logicalPartition(key), operations, mode, options);
  }

  /** Runs operations on any logical partitions, each of which succeeds or fails alone. */
  bulk(operations: readonly BulkOperation[]): readonly BatchOperationResult[] {
    return this.#state.store.write((transaction) =>
      operations.map(({ partitionKey, operation }) => {
        transaction.beginUnit();
        try {
          return executeItem(this.#state, this.#state.logicalPartition(partitionKey), operation);
        } catch (error) {
          return refusalResult(error);
        }
      }),
    );
  }

  /** Answers one page of a query. */
  query(request: QueryRequest): FeedPage {
    return queryItems(this.#state, request);
  }

  readFeed(request: ReadFeedRequest): FeedPage {
    return readFeed(this.#state, request);
  }

  changeFeed(request: ChangeFeedRequest): ChangeFeedPage {
    return changeFeed(this.#state, request);
  }

  /** Measures what the container holds, with items that have expired and are not removed yet. */
  usage(): ContainerUsage {
    const { partitions } = this.#state;
    return {
      items: partitions.reduce((sum, { items }) => sum + items, 0),
      bytes: partitions.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  /** Removes all items of a logical partition. */
  deletePartition(key: PartitionKey | undefined): DeletePartitionResult {
    return deletePartition(this.#state, this.#state.logicalPartition(key));
  }

  /**
   * Returns every stored item as its text, whatever its partition; those that have expired and are not removed yet
   * too.
   */
  bodies(): readonly string[] {
    return this.#state.table.bodies();
  }

  /** Lists the physical partitions in the order of their ranges, which leave no gap between "" and "FF". */
  partitionKeyRanges(): readonly PartitionKeyRange[] {
    return this.#state.partitions.map(({ id, minInclusive, maxExclusive, parents, lsn }) => ({
      id,
      rid: containerChildRid(this.rid, "pkranges", Number(id) + 2),
      minInclusive,
      maxExclusive,
      parents,
      lsn,
    }));
  }

  /** Finds the physical partition in which the items of a key lie; 400/1001 unless the key is complete. */
  rangeIdOf(key: PartitionKey | undefined): string {
    return this.#state.logicalPartition(key).partition.id;
  }

  /**
   * Returns the position of the latest write of a physical partition on a replica that lacks `writesBehind` writes;
   * 410/1002 where there is no partition with this id.
   */
  lsnOf(rangeId: string, writesBehind = 0): number {
    return this.#positionOf(this.#state.partition(rangeId), writesBehind);
  }

  #positionOf(partition: Partition, writesBehind: number): number {
    return partition.journal.positionWithout(writesBehind) ?? this.#state.lsnOf(partition);
  }

  /** Finds the id of the item that a link names by its `_rid`. */
  itemIdOf(rid: string): string | undefined {
    const number = numberInRid(rid);
    return number === undefined ? undefined : this.#state.table.idOf(number);
  }
}
