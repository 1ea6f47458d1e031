/** What an engine is opened with. */
export interface EngineOptions {
  /** The file that keeps the state, created where it does not exist; absent for state in memory. */
  readonly path?: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A number in [0, 1), drawn once for each new store, so that two stores give out different resource ids. */
  readonly random?: () => number;
  /** Physical partitions of each container that is created, 1 by default; containers keep what they began with. */
  readonly physicalPartitions?: number;
  /** Accepts what the service refuses and other emulators accept: slashes in the ids of items. */
  readonly lenient?: boolean;
  /** How many writes of each physical partition stale reads can go back, 64 by default. */
  readonly journalLength?: number;
}

/** The options with their defaults. */
export interface EngineSettings {
  readonly now: () => number;
  readonly physicalPartitions: number;
  readonly lenient: boolean;
  readonly journalLength: number;
}

const MOST_PARTITIONS = 1024;

export function settingsOf(options: EngineOptions): EngineSettings {
  const { now, physicalPartitions = 1, lenient = false, journalLength = 64 } = options;
  if (
    !Number.isInteger(physicalPartitions) ||
    physicalPartitions < 1 ||
    physicalPartitions > MOST_PARTITIONS
  ) {
    throw new RangeError(
      `physicalPartitions is ${physicalPartitions}; give a whole number from 1 to ${MOST_PARTITIONS}`,
    );
  }
  if (!Number.isInteger(journalLength) || journalLength < 0) {
    throw new RangeError(`journalLength is ${journalLength}; give a whole number that is not negative`);
  }
  return { now, physicalPartitions, lenient, journalLength };
}
