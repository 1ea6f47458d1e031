/** Ranked rows for workers: finds them, and asks for the permits that they need (docs/decisions/limits.md). */
import { type FetchWorkOptions, later } from "@duroxide-ts/core/stores";
import type { ActivityRow } from "../documents/rows.ts";
import { ShareKeeper } from "../limits/share-keeper.ts";
import type { Parts, Work } from "../memory/parts.ts";
import { RankedSearch } from "./ranked-search.ts";
import type { Searches } from "./searches.ts";

/** Keys that are asked for at once where fewer fetches wait. */
const FEW_KEYS = 10;

/** A fetch, and the rows that it accepts. */
export interface RankedCaller {
  readonly options: FetchWorkOptions;
  /** Equal for fetches that accept the same work. */
  readonly asks: string;
  /** Fetches of this process that wait for such rows. */
  readonly fetches: number;
  readonly accepts: (row: ActivityRow) => boolean;
}

/** Time to the next look where permits are being asked for, ms: without it a fetch would look all the time. */
const UNDER_WAY_MS = 20;

export class RankedWork {
  readonly #parts: Parts;
  readonly #searches: Searches;
  readonly #shares: ShareKeeper;
  readonly #found = new Map<string, RankedSearch>();

  constructor(parts: Parts, searches: Searches) {
    this.#parts = parts;
    this.#searches = searches;
    this.#shares = new ShareKeeper(parts);
  }

  /** Whether rows are known, or looked for. */
  get isActive(): boolean {
    const { ranked, rankedUntilMs } = this.#parts.memory.activities;
    return !ranked.isEmpty || rankedUntilMs > this.#parts.clock.now();
  }

  /** Looks for rows where it is time, and asks for permits. `isOnce`: the fetch does not wait for another look. */
  async prepare(work: Work, caller: RankedCaller, isOnce: boolean): Promise<void> {
    const { clock, memory } = this.#parts;
    await this.#searchFor(caller).look(work, isOnce);
    const nowMs = clock.now();
    const { options, fetches, accepts } = caller;
    const waiting = memory.activities.ranked.waiting(nowMs, accepts);
    const lockedUntilMs = later(nowMs, options.lockTimeoutMs);
    const keys = [...waiting.keys()].filter(
      (key) => memory.permits.askAtMs(key, lockedUntilMs, nowMs) <= nowMs,
    );
    const isOpen = (key: string): boolean => memory.permits.opensAtMs(key, lockedUntilMs, nowMs) <= nowMs;
    const open = [...waiting.keys()].filter(isOpen);
    const ageing = open.filter((key) => memory.permits.ages(key, nowMs));
    if (keys.length + ageing.length === 0) return;
    // Keys take turns, and no more than these can begin soon.
    const next = [...keys, ...ageing].slice(0, Math.max(FEW_KEYS, 2 * fetches));
    const asking = this.#shares.askFor(next, { waiting, fetches, lockMs: options.lockTimeoutMs });
    // Other fetches are woken by the answer, and what may begin does not wait for it.
    if (isOnce) await asking;
  }

  /** The row that goes first of those that may begin. */
  first({ options, accepts }: Pick<RankedCaller, "options" | "accepts">): ActivityRow | undefined {
    const { clock, memory } = this.#parts;
    const nowMs = clock.now();
    const lockedUntilMs = later(nowMs, options.lockTimeoutMs);
    return memory.activities.ranked.first(
      nowMs,
      accepts,
      (key) => memory.permits.opensAtMs(key, lockedUntilMs, nowMs) <= nowMs,
    );
  }

  /** The time to look again, or at which the next row may begin; ms since the epoch. */
  nextMs(caller: RankedCaller): number {
    const { options, accepts } = caller;
    if (!this.isActive) return Number.POSITIVE_INFINITY;
    const { clock, memory } = this.#parts;
    const { ranked } = memory.activities;
    const nowMs = clock.now();
    const lookMs = this.#searchFor(caller).nextMs;
    const lockedUntilMs = later(nowMs, options.lockTimeoutMs);
    const openMs = [...ranked.waiting(nowMs, accepts).keys()].map((key) => {
      const opensAtMs = memory.permits.opensAtMs(key, lockedUntilMs, nowMs);
      // A row that may begin now is tried by another fetch, or was tried in vain.
      if (opensAtMs <= nowMs) return Number.POSITIVE_INFINITY;
      const askAtMs = memory.permits.askAtMs(key, lockedUntilMs, nowMs);
      return Math.min(opensAtMs, askAtMs > nowMs ? askAtMs : nowMs + UNDER_WAY_MS);
    });
    return Math.min(lookMs, ranked.nextDueMs, ...openMs);
  }

  async close(): Promise<void> {
    await this.#shares.close();
  }

  #searchFor({ asks, options }: RankedCaller): RankedSearch {
    const { waitingForActivities } = this.#parts.memory;
    const search =
      this.#found.get(asks) ??
      new RankedSearch(this.#parts, this.#searches, options.tagFilter, () => waitingForActivities.notify());
    this.#found.set(asks, search);
    return search;
  }
}
