/**
 * Finds ranked rows, while there are any (docs/decisions/limits.md).
 *
 * Pages are by key and priority: a page that has only rows of one priority of a key is followed by the first page of the
 * next, so that a hundred thousand rows of one key hide no other.
 */
import type { SqlQuerySpec } from "@azure/cosmos";
import type { TagFilter } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { RANKED_FROM, RANKED_TO } from "../documents/ranked.ts";
import { toActivityRow } from "../documents/rows.ts";
import { UNLOCKED } from "../documents/unlocked.ts";
import { sweepMark } from "../limits/mark.ts";
import type { Parts, Work } from "../memory/parts.ts";
import { BEST_EFFORT_MS, RANKED_ACTIVE_MS } from "../memory/waits.ts";
import { spec } from "../service/spec.ts";
import { hasTurn } from "./membership/turns.ts";
import { PollInterval } from "./poll-interval.ts";
import { RangeCursors, type RangePage } from "./range-cursors.ts";
import type { Searches } from "./searches.ts";
import { tagCondition, tagsOf } from "./tag-condition.ts";

/** Rows of one answer from each physical partition. */
const PAGE = 100;

const NEVER: number = Number.POSITIVE_INFINITY;

export class RankedSearch {
  readonly #parts: Parts;
  readonly #searches: Searches;
  readonly #tagFilter: TagFilter;
  readonly #interval: PollInterval;
  readonly #cursors: RangeCursors<Stored>;
  /** The beginning of the next page of each physical partition. */
  readonly #from = new Map<string, number>();
  #looking: Promise<void> | undefined;
  #sweepAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts, searches: Searches, tagFilter: TagFilter) {
    this.#parts = parts;
    this.#searches = searches;
    this.#tagFilter = tagFilter;
    this.#interval = new PollInterval(searches.settings.pollIntervalMs, parts.service.random);
    this.#cursors = new RangeCursors<Stored>({
      stop: searches.stop,
      limit: PAGE,
      onPage: (page) => this.#take(page),
    });
  }

  /** The time to look again, ms since the epoch; infinite where there are no rows. */
  get nextMs(): number {
    return this.#isActive ? this.#interval.nextMs : NEVER;
  }

  get #isActive(): boolean {
    return this.#parts.memory.activities.rankedUntilMs > this.#parts.clock.now();
  }

  /** Looks where it is time. `isOnce`: the caller does not wait for another look. */
  async look(work: Work, isOnce: boolean): Promise<void> {
    if (!this.#isActive || !(isOnce || work.clock.now() >= this.#interval.nextMs)) return;
    this.#looking ??= this.#ask(work, isOnce).finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #ask(work: Work, isOnce: boolean): Promise<void> {
    const { clock, memory } = this.#parts;
    const known = memory.activities.rankedCount;
    this.#cursors.restart();
    const peerGroup = this.#searches.settings.members.peerGroup();
    const interval = Math.floor(clock.now() / this.#searches.settings.pollIntervalMs.max);
    const question = (range: string, ranges: number): SqlQuerySpec | undefined =>
      isOnce || hasTurn(peerGroup, range, ranges, interval)
        ? this.#question(this.#from.get(range) ?? RANKED_FROM)
        : undefined;
    await this.#cursors.ask(work, question, { which: "all", waitsForAll: false });
    this.#interval.asked(clock.now(), memory.activities.rankedCount > known);
    if (memory.activities.rankedCount > 0 || clock.now() < this.#sweepAtMs) return;
    this.#sweepAtMs = clock.now() + RANKED_ACTIVE_MS;
    await sweepMark(work.within(BEST_EFFORT_MS));
  }

  #question(fromAt: number): SqlQuerySpec {
    return spec(
      `SELECT * FROM c WHERE c.type = 'worker_queue' AND c.visibleAt >= @from AND c.visibleAt < @to AND ${UNLOCKED}
        AND ${tagCondition(this.#tagFilter)} ORDER BY ${this.#parts.service.dueOrder}`,
      {
        "@from": fromAt,
        "@to": RANKED_TO,
        "@now": this.#parts.clock.now(),
        "@tags": [...tagsOf(this.#tagFilter)],
      },
    );
  }

  #take({ range, results, hasMore }: RangePage<Stored>): void {
    const [first, last] = [results[0]?.["visibleAt"], results.at(-1)?.["visibleAt"]].map(Number);
    if (!hasMore || last === undefined || Number.isNaN(last)) this.#from.delete(range);
    else this.#from.set(range, first === last ? last + 1 : last);
    for (const document of results) {
      const row = rowOf(document);
      if (row !== undefined) this.#parts.memory.activities.found(row);
    }
  }
}

/** A ranked row was stored by this package, so one that cannot be decoded is of a later version, which serves it. */
function rowOf(document: Stored): ReturnType<typeof toActivityRow> | undefined {
  try {
    return toActivityRow(document);
  } catch {
    return undefined;
  }
}
