/**
 * An endpoint with what a service in use has: every request takes 5 to 20 ms, pages come short, and the physical
 * partitions of each container are split, merged, moved and throttled all the time.
 */
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { SeededRandom } from "../../../../test/support/seeded-random.ts";
import { addDistance, PartitionChanges } from "../support/partition-changes.ts";
import { DATABASE, type Place } from "../support/stage.ts";

const PHYSICAL_PARTITIONS = 3;

/** About as long as two requests take, so that something changes while most operations are under way. */
const PAUSE_MS = 30;
const COMPLETING_MS = 25;
/** Number of requests that a throttled partition refuses. */
const THROTTLED_REQUESTS = 3;

export class TroubledEndpoint implements AsyncDisposable {
  readonly #emulator: CosmosEmulator;
  readonly #random: SeededRandom;
  readonly #counts = new Map<string, number>();

  private constructor(emulator: CosmosEmulator, seed: number) {
    this.#emulator = emulator;
    this.#random = new SeededRandom(seed);
    addDistance(emulator);
  }

  static async start(seed: number): Promise<TroubledEndpoint> {
    const options = { port: 0, seed, physicalPartitions: PHYSICAL_PARTITIONS };
    return new TroubledEndpoint(await CosmosEmulator.start(options), seed);
  }

  /** Counts of the changes of physical partitions, by kind. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** `work` may end the troubles of the container before it is over. */
  async during<Result>(
    container: string,
    work: (place: Place, calm: () => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    await using changes = new PartitionChanges({
      emulator: this.#emulator,
      names: { database: DATABASE, container },
      random: this.#random,
      pauseMs: PAUSE_MS,
      completingMs: COMPLETING_MS,
      throttled: { requests: THROTTLED_REQUESTS },
    });
    const { connectionString } = this.#emulator;
    try {
      const place = { connectionString, container, isTroubled: true };
      return await work(place, () => changes[Symbol.asyncDispose]());
    } finally {
      for (const [what, count] of changes.counts) {
        this.#counts.set(what, (this.#counts.get(what) ?? 0) + count);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#emulator[Symbol.asyncDispose]();
  }
}
