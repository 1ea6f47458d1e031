/** During a storm: physical partitions are split, merged and moved, one after the other, and single ones throttle. */
import { setTimeout } from "node:timers/promises";
import type { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import type { SeededRandom } from "../../../../test/support/seeded-random.ts";

export interface ChangedContainer {
  readonly database: string;
  readonly container: string;
}

/** Between two changes. */
const PAUSE_MS = 2_500;
/** For so long a partition answers 410 before it is split or merged, and throttles. */
const COMPLETING_MS = 100;
const THROTTLED_MS = 1_500;
/** More than this are merged first. */
const MOST_PARTITIONS = 6;

/** Latency of every request; pages that come short. */
const DELAY = { kind: "delay", delayMs: 5, jitterMs: 15 } as const;
const SHORT_PAGES = 0.05;

export class PartitionChanges {
  readonly #emulator: CosmosEmulator;
  readonly #names: ChangedContainer;
  readonly #random: SeededRandom;
  readonly #stopping = new AbortController();
  readonly #counts = new Map<string, number>();
  readonly #changing: Promise<void>;

  constructor(emulator: CosmosEmulator, names: ChangedContainer, random: SeededRandom) {
    this.#emulator = emulator;
    this.#names = names;
    this.#random = random;
    emulator.faults.add({ effect: DELAY });
    emulator.faults.add({ rate: SHORT_PAGES, effect: { kind: "shortPage" } });
    this.#changing = this.#change();
  }

  /** What was done how often. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Resolves when the change under way is over. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#changing;
  }

  async #change(): Promise<void> {
    const { partitions } = this.#emulator;
    const changes = [() => this.#split(), () => this.#throttle(), () => this.#merge(), () => this.#migrate()];
    const { signal } = this.#stopping;
    for (let n = 0; !signal.aborted; n++) {
      await setTimeout(PAUSE_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const hasMany = partitions.list(this.#names).length > MOST_PARTITIONS;
      await (hasMany ? this.#merge() : changes[n % changes.length]?.());
    }
  }

  async #split(): Promise<void> {
    this.#count("splits");
    await this.#emulator.partitions.split({
      ...this.#names,
      range: this.#any(),
      completingMs: COMPLETING_MS,
    });
  }

  async #merge(): Promise<void> {
    const ids = this.#emulator.partitions.list(this.#names);
    const first = Math.floor(this.#random.next() * (ids.length - 1));
    if (ids.length < 2) return;
    this.#count("merges");
    const ranges = ids.slice(first, first + 2);
    await this.#emulator.partitions.merge({ ...this.#names, ranges, completingMs: COMPLETING_MS });
  }

  async #migrate(): Promise<void> {
    this.#count("migrations");
    await this.#emulator.partitions.migrate({ ...this.#names, range: this.#any(), forMs: COMPLETING_MS });
  }

  async #throttle(): Promise<void> {
    this.#count("throttled partitions");
    const { faults } = this.#emulator;
    const effect = { kind: "error", status: 429, retryAfterMs: 100 } as const;
    const rule = faults.add({ match: { range: this.#any() }, effect });
    await setTimeout(THROTTLED_MS);
    faults.remove(rule);
  }

  #any(): string {
    const ids = this.#emulator.partitions.list(this.#names);
    return ids[Math.floor(this.#random.next() * ids.length)] ?? "0";
  }

  #count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }
}
