/**
 * Changes of physical partitions by command: split, merge, migration, failover. While a change is under way the
 * partition answers 410, as the service does (docs/reference/cosmos-protocol.md §2.1).
 */
import type { Engine } from "../../engine/index.ts";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { Failovers } from "./failovers.ts";

/** A container by its names, as they stand in the path. */
export interface ContainerNames {
  readonly database: string;
  readonly container: string;
}

/** A physical partition becomes two. */
export interface SplitOptions extends ContainerNames {
  /** The id of the partition. Left out: the first one. */
  readonly range?: string;
  /** Time in ms for which the partition answers 410/1007 before it is split, in ms. */
  readonly completingMs?: number;
}

/** Two physical partitions become one. */
export interface MergeOptions extends ContainerNames {
  /** The ids of two neighbours. Left out: the first two. */
  readonly ranges?: readonly string[];
  /** Time in ms for which both partitions answer 410/1007 before they are merged, in ms. */
  readonly completingMs?: number;
}

/** A physical partition moves to another machine. */
export interface MigrateOptions extends ContainerNames {
  /** The id of the partition. Left out: the first one. */
  readonly range?: string;
  /** Time in ms for which the partition answers 410/1008. */
  readonly forMs: number;
}

export interface PartitionControlOptions {
  /** Returns the engine of the endpoint, which is opened after this object is made. */
  engine(): Engine;
  wait(delayMs: number): Promise<void>;
}

const COMPLETING = 1007;
const MIGRATING = 1008;

/** Splits, merges and moves physical partitions of a running endpoint. */
export class PartitionControl {
  /** @internal */
  readonly failovers: Failovers = new Failovers();
  readonly #options: PartitionControlOptions;
  /** Sub-status by container and partition. */
  readonly #busy = new Map<string, number>();

  constructor(options: PartitionControlOptions) {
    this.#options = options;
  }

  /** Splits a partition in the middle. Resolves to the ids of the new ones; the old id is 410/1002 from then on. */
  async split(options: SplitOptions): Promise<readonly string[]> {
    const { database, container, completingMs } = options;
    const range = options.range ?? this.#rangeIds(options)[0];
    await this.#during(options, range === undefined ? [] : [range], COMPLETING, completingMs);
    return this.#options.engine().splitPartition(database, container, range);
  }

  /** Merges two neighbours. Resolves to the id of the new partition; the old ids are 410/1002 from then on. */
  async merge(options: MergeOptions): Promise<string> {
    const { database, container, completingMs } = options;
    const ranges = options.ranges ?? this.#rangeIds(options).slice(0, 2);
    await this.#during(options, ranges, COMPLETING, completingMs);
    return this.#options.engine().mergePartitions(database, container, ranges);
  }

  /** Moves a partition to another machine: it answers 410/1008, and keeps its id. Resolves when it is over. */
  async migrate(options: MigrateOptions): Promise<void> {
    const range = options.range ?? this.#rangeIds(options)[0];
    await this.#during(options, range === undefined ? [] : [range], MIGRATING, options.forMs);
  }

  /**
   * Lets another region take over: session tokens have a new version, and their positions begin again. A read whose
   * token is from before is 404/1002 until its caller drops the token.
   */
  failover({ database, container }: ContainerNames): void {
    this.failovers.declare(this.#options.engine().container(database, container));
  }

  /** Lists the ids of the physical partitions, in the order of their ranges. */
  list(names: ContainerNames): readonly string[] {
    return this.#rangeIds(names);
  }

  /** @internal */
  get isBusy(): boolean {
    return this.#busy.size > 0;
  }

  /**
   * Throws 410 while one of the partitions is changed.
   *
   * @internal
   */
  check(names: ContainerNames, ranges: readonly string[]): void {
    for (const range of ranges) {
      const substatus = this.#busy.get(keyOf(names, range));
      if (substatus !== undefined) throw changing(range, substatus);
    }
  }

  #rangeIds({ database, container }: ContainerNames): readonly string[] {
    const ranges = this.#options.engine().container(database, container).partitionKeyRanges();
    return ranges.map(({ id }) => id);
  }

  async #during(
    names: ContainerNames,
    ranges: readonly string[],
    substatus: number,
    forMs = 0,
  ): Promise<void> {
    if (forMs <= 0) return;
    for (const range of ranges) this.#busy.set(keyOf(names, range), substatus);
    try {
      await this.#options.wait(forMs);
    } finally {
      for (const range of ranges) this.#busy.delete(keyOf(names, range));
    }
  }
}

function keyOf({ database, container }: ContainerNames, range: string): string {
  return JSON.stringify([database, container, range]);
}

function changing(range: string, substatus: number): CosmosError {
  const what = substatus === MIGRATING ? "is being moved" : "is being split or merged";
  return new CosmosError({
    status: 410,
    substatus,
    code: "Gone",
    message: `The partition key range ${JSON.stringify(range)} ${what}. Read the ranges of the container again and retry.`,
  });
}
