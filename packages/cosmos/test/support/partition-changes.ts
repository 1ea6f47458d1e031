/** Physical partitions of a container are split, merged and moved, one after the other, and single ones throttle. */
import { setTimeout } from "node:timers/promises";
import type { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import type { SeededRandom } from "../../../../test/support/seeded-random.ts";

export interface ChangedContainer {
  readonly database: string;
  readonly container: string;
}

export interface PartitionChangesOptions {
  readonly emulator: Pick<CosmosEmulator, "partitions" | "faults">;
  /** Nothing happens while it does not exist. */
  readonly names: ChangedContainer;
  readonly random: SeededRandom;
  /** Time between two changes, ms. */
  readonly pauseMs: number;
  /** How long a partition answers 410 before it is split or merged, or while it is moved. */
  readonly completingMs: number;
  /** How long, or for how many requests, a partition answers 429. */
  readonly throttled: { readonly forMs: number } | { readonly requests: number };
  /** Called after a split or a merge, with the ids of the old and the new partitions. */
  readonly onChange?: (gone: readonly string[], ranges: readonly string[]) => void;
}

/** More than this are merged first. */
const MOST_PARTITIONS = 6;

const RETRY_AFTER_MS = 100;
const NOT_FOUND = 404;

/** Adds what every request of a distant service meets: delays between requests and answers, and short pages. */
export function addDistance({ faults }: Pick<CosmosEmulator, "faults">): void {
  faults.add({ effect: { kind: "delay", delayMs: 5, jitterMs: 15 } });
  faults.add({ rate: 0.05, effect: { kind: "shortPage" } });
}

/** Disposing resolves when the change under way is over. */
export class PartitionChanges implements AsyncDisposable {
  readonly #options: PartitionChangesOptions;
  readonly #stopping = new AbortController();
  readonly #counts = new Map<string, number>();
  readonly #changing: Promise<void>;
  #throttle: number | undefined;

  constructor(options: PartitionChangesOptions) {
    this.#options = options;
    this.#changing = this.#changeUntilStopped();
  }

  /** Counts of the changes, by kind. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#changing;
    this.#endThrottle();
  }

  async #changeUntilStopped(): Promise<void> {
    const { pauseMs, random } = this.#options;
    const { signal } = this.#stopping;
    const changes = [() => this.#split(), () => this.#slowDown(), () => this.#merge(), () => this.#move()];
    for (let n = random.below(changes.length); !signal.aborted; n++) {
      await setTimeout(pauseMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      await this.#change(changes[n % changes.length]);
    }
  }

  async #change(change: (() => Promise<void>) | undefined): Promise<void> {
    this.#endThrottle();
    try {
      const hasMany = this.#ranges().length > MOST_PARTITIONS;
      await (hasMany ? this.#merge() : change?.());
    } catch (error) {
      const isGone = error instanceof Error && "status" in error && error.status === NOT_FOUND;
      if (!isGone) throw error;
    }
  }

  async #split(): Promise<void> {
    const { emulator, names, completingMs, onChange } = this.#options;
    const range = this.#any();
    const ranges = await emulator.partitions.split({ ...names, range, completingMs });
    this.#count("splits");
    onChange?.([range], ranges);
  }

  async #merge(): Promise<void> {
    const { emulator, names, completingMs, random, onChange } = this.#options;
    const ids = this.#ranges();
    if (ids.length < 2) return;
    const first = random.below(ids.length - 1);
    const ranges = ids.slice(first, first + 2);
    const merged = await emulator.partitions.merge({ ...names, ranges, completingMs });
    this.#count("merges");
    onChange?.(ranges, [merged]);
  }

  async #move(): Promise<void> {
    const { emulator, names, completingMs } = this.#options;
    await emulator.partitions.migrate({ ...names, range: this.#any(), forMs: completingMs });
    this.#count("moves");
  }

  async #slowDown(): Promise<void> {
    const { emulator, names, throttled } = this.#options;
    const match = { ...names, range: this.#any() };
    const effect = { kind: "error", status: 429, retryAfterMs: RETRY_AFTER_MS } as const;
    this.#count("throttled partitions");
    if ("requests" in throttled) {
      this.#throttle = emulator.faults.add({ match, next: throttled.requests, effect });
      return;
    }
    this.#throttle = emulator.faults.add({ match, effect });
    await setTimeout(throttled.forMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
    this.#endThrottle();
  }

  #endThrottle(): void {
    if (this.#throttle !== undefined) this.#options.emulator.faults.remove(this.#throttle);
    this.#throttle = undefined;
  }

  #any(): string {
    const ids = this.#ranges();
    return ids[this.#options.random.below(ids.length)] ?? "0";
  }

  #ranges(): readonly string[] {
    const { emulator, names } = this.#options;
    return emulator.partitions.list(names);
  }

  #count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }
}
