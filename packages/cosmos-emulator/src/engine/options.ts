/** What an engine is opened with. */
export interface EngineOptions {
  /** The file that keeps the state, created where it does not exist; absent for state in memory. */
  readonly path?: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A number in [0, 1), asked for once for each new store, so that two give out different resource ids. */
  readonly random: () => number;
  /** Physical partitions of each container that is created, 1 by default; containers keep what they began with. */
  readonly physicalPartitions?: number;
  /** Accepts what the service refuses and other emulators accept: slashes in the ids of items. */
  readonly lenient?: boolean;
}

/** The options with their defaults. */
export interface EngineSettings {
  readonly now: () => number;
  readonly physicalPartitions: number;
  readonly lenient: boolean;
}

export function settingsOf({ now, physicalPartitions = 1, lenient = false }: EngineOptions): EngineSettings {
  return { now, physicalPartitions, lenient };
}
