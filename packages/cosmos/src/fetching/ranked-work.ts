/**
 * Ranked rows: finds them, and asks for the permits that they need, while there are any (docs/decisions/limits.md).
 *
 * Pages are by key and priority: a page that has only rows of one priority of a key is followed by the first page of the
 * next, so that a hundred thousand rows of one key hide no other.
 */
import type { SqlQuerySpec } from "@azure/cosmos";
import { type FetchWorkOptions, later } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { RANKED_FROM, RANKED_TO } from "../documents/ranked.ts";
import type { ActivityRow } from "../documents/rows.ts";
import { UNLOCKED } from "../documents/unlocked.ts";
import { sweepMark } from "../limits/mark.ts";
import { ShareKeeper } from "../limits/share-keeper.ts";
import type { Parts, Work } from "../memory/parts.ts";
import { BEST_EFFORT_MS, RANKED_ACTIVE_MS } from "../memory/waits.ts";
import { spec } from "../service/spec.ts";
import { PollInterval } from "./poll-interval.ts";
import { RangeCursors, type RangePage } from "./range-cursors.ts";
import type { Searches } from "./searches.ts";
import { tagCondition, tagsOf } from "./tag-condition.ts";

/** Rows of one answer from each physical partition. */
const PAGE = 100;

/** A fetch, and the rows that it accepts. */
export interface RankedCaller {
  readonly options: FetchWorkOptions;
  /** Equal for fetches that accept the same work. */
  readonly asks: string;
  /** Fetches of this process that wait for such rows. */
  readonly fetches: number;
  readonly accepts: (row: ActivityRow) => boolean;
}

interface Search {
  readonly interval: PollInterval;
  readonly cursors: RangeCursors<Stored>;
  /** The beginning of the next page of each physical partition. */
  readonly from: Map<string, number>;
  asking: Promise<void> | undefined;
}

export class RankedWork {
  readonly #parts: Parts;
  readonly #searches: Searches;
  readonly #decode: (found: readonly Stored[]) => Promise<readonly ActivityRow[]>;
  readonly #shares: ShareKeeper;
  readonly #found = new Map<string, Search>();
  #sweepAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    parts: Parts,
    searches: Searches,
    decode: (found: readonly Stored[]) => Promise<readonly ActivityRow[]>,
  ) {
    this.#parts = parts;
    this.#searches = searches;
    this.#decode = decode;
    this.#shares = new ShareKeeper(parts);
  }

  /** Whether rows are known, or looked for. */
  get isActive(): boolean {
    const { ranked } = this.#parts.memory.activities;
    return !ranked.isEmpty || ranked.activeUntilMs > this.#parts.clock.now();
  }

  /** Looks for rows where it is time, and asks for permits. `isOnce`: the fetch does not wait for another look. */
  async prepare(work: Work, caller: RankedCaller, isOnce: boolean): Promise<void> {
    const { clock, memory } = this.#parts;
    if (memory.activities.ranked.activeUntilMs > clock.now()) {
      const search = this.#searchFor(caller);
      if (isOnce || clock.now() >= search.interval.nextMs) await this.#look(work, search, caller);
    }
    const nowMs = clock.now();
    const { options, fetches, accepts } = caller;
    const waiting = memory.activities.ranked.waiting(nowMs, accepts);
    const lockedUntilMs = later(nowMs, options.lockTimeoutMs);
    const keys = [...waiting.keys()].filter(
      (key) => memory.permits.askAtMs(key, lockedUntilMs, nowMs) <= nowMs,
    );
    if (keys.length > 0) await this.#shares.askFor(keys, { waiting, fetches, lockMs: options.lockTimeoutMs });
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
  nextMs({ options, asks, accepts }: RankedCaller): number {
    if (!this.isActive) return Number.POSITIVE_INFINITY;
    const { clock, memory } = this.#parts;
    const { ranked } = memory.activities;
    const nowMs = clock.now();
    const lookMs =
      ranked.activeUntilMs > nowMs
        ? (this.#found.get(asks)?.interval.nextMs ?? nowMs)
        : Number.POSITIVE_INFINITY;
    const lockedUntilMs = later(nowMs, options.lockTimeoutMs);
    const openMs = [...ranked.waiting(nowMs, accepts).keys()].map((key) => {
      const opensAtMs = memory.permits.opensAtMs(key, lockedUntilMs, nowMs);
      // A row that may begin now is tried by another fetch, or was tried in vain.
      if (opensAtMs <= nowMs) return Number.POSITIVE_INFINITY;
      return Math.min(opensAtMs, memory.permits.askAtMs(key, lockedUntilMs, nowMs));
    });
    return Math.min(lookMs, ranked.nextDueMs(nowMs), ...openMs);
  }

  async close(): Promise<void> {
    await this.#shares.close();
  }

  #searchFor({ asks }: RankedCaller): Search {
    const known = this.#found.get(asks);
    if (known !== undefined) return known;
    const from = new Map<string, number>();
    const search: Search = {
      interval: new PollInterval(this.#searches.settings.pollIntervalMs, this.#parts.service.random),
      cursors: new RangeCursors<Stored>({
        stop: this.#searches.stop,
        limit: PAGE,
        onPage: (page) => this.#take(search, page),
      }),
      from,
      asking: undefined,
    };
    this.#found.set(asks, search);
    return search;
  }

  #look(work: Work, search: Search, caller: RankedCaller): Promise<void> {
    search.asking ??= this.#ask(work, search, caller).finally(() => {
      search.asking = undefined;
    });
    return search.asking;
  }

  async #ask(work: Work, { cursors, from, interval }: Search, { options }: RankedCaller): Promise<void> {
    const { ranked } = this.#parts.memory.activities;
    const { clock } = this.#parts;
    const known = ranked.count;
    cursors.restart();
    await cursors.ask(work, (range) => this.#question(options, from.get(range) ?? RANKED_FROM), {
      which: "all",
      waitsForAll: false,
    });
    interval.asked(clock.now(), ranked.count > known);
    if (ranked.isEmpty && clock.now() >= this.#sweepAtMs) {
      this.#sweepAtMs = clock.now() + RANKED_ACTIVE_MS;
      await sweepMark(work.within(BEST_EFFORT_MS));
    }
  }

  #question({ tagFilter }: FetchWorkOptions, fromAt: number): SqlQuerySpec {
    return spec(
      `SELECT * FROM c WHERE c.type = 'worker_queue' AND c.visibleAt >= @from AND c.visibleAt < @to AND ${UNLOCKED}
        AND ${tagCondition(tagFilter)} ORDER BY ${this.#parts.service.dueOrder}`,
      { "@from": fromAt, "@to": RANKED_TO, "@now": this.#parts.clock.now(), "@tags": [...tagsOf(tagFilter)] },
    );
  }

  async #take({ from }: Search, { range, results, hasMore }: RangePage<Stored>): Promise<void> {
    const { memory, clock } = this.#parts;
    const { activities } = memory;
    const [first, last] = [results[0]?.["visibleAt"], results.at(-1)?.["visibleAt"]].map(Number);
    if (!hasMore || last === undefined || Number.isNaN(last)) from.delete(range);
    else from.set(range, first === last ? last + 1 : last);
    for (const row of await this.#decode(results)) {
      // What this process holds, or is about to lock, may have been listed before.
      const isHeld = (activities.ranked.get(row.id)?.visibleAtMs ?? 0) > clock.now();
      if (!isHeld && !activities.attempts.has(row.id)) activities.put(row);
    }
  }
}
