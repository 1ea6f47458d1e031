/** Options of an engine. */
export interface EngineOptions {
  /** The file that keeps the state, created where it does not exist; undefined for state in memory. */
  readonly path: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A number in [0, 1), asked for once for each new store, so that two give out different resource ids. */
  readonly random: () => number;
  /** Number of physical partitions of each container that is created; containers keep what they began with. */
  readonly physicalPartitions: number;
  /** Whether it accepts what the service refuses and other emulators accept: slashes in the ids of items. */
  readonly lenient: boolean;
}
