/**
 * Finds ranked rows, while there are any (docs/decisions/limits.md).
 *
 * Pages are by key and priority: a page that has only rows of one priority of a key is followed by the first page of the
 * next, so that a hundred thousand rows of one key hide no other.
 */
import type { SqlQuerySpec } from "@azure/cosmos";
import { acceptsTag, type TagFilter } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { RANKED_FROM, RANKED_TO } from "../documents/ranked.ts";
import { type ActivityRow, toActivityRow } from "../documents/rows.ts";
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

/** How far a replica may be behind, ms. */
const LAG_MS = 1_000;

const MOST_REMEMBERED = 20_000;

const NEVER: number = Number.POSITIVE_INFINITY;

export class RankedSearch {
  readonly #parts: Parts;
  readonly #searches: Searches;
  readonly #tagFilter: TagFilter;
  readonly #onLooked: () => void;
  readonly #interval: PollInterval;
  readonly #cursors: RangeCursors<Stored>;
  /** The beginning of the next page of each physical partition. */
  readonly #from = new Map<string, number>();
  /** The physical partitions of rows that were found. */
  readonly #rangeOf = new Map<string, string>();
  #askedMs = 0;
  #looking: Promise<void> | undefined;
  #sweepAtMs = Number.NEGATIVE_INFINITY;

  /** `onLooked` is called after each look. */
  constructor(parts: Parts, searches: Searches, tagFilter: TagFilter, onLooked: () => void) {
    this.#parts = parts;
    this.#onLooked = onLooked;
    this.#searches = searches;
    this.#tagFilter = tagFilter;
    this.#interval = new PollInterval(searches.settings.pollIntervalMs, parts.service.random);
    this.#cursors = new RangeCursors<Stored>({
      stop: searches.stop,
      limit: PAGE,
      onPage: (page) => this.#take(page),
    });
  }

  /** The time to look again, ms since the epoch; infinite where there are no rows, or during a look. */
  get nextMs(): number {
    return this.#isActive && this.#looking === undefined ? this.#interval.nextMs : NEVER;
  }

  get #isActive(): boolean {
    return this.#parts.memory.activities.rankedUntilMs > this.#parts.clock.now();
  }

  /**
   * Looks where it is time. Only a caller that does not wait for another look (`isOnce`) waits for the answer: others are
   * woken by it, and may begin meanwhile what is known.
   */
  async look(work: Work, isOnce: boolean): Promise<void> {
    if (!this.#isActive || !(isOnce || work.clock.now() >= this.#interval.nextMs)) return;
    this.#looking ??= this.#ask(work, isOnce).finally(() => {
      this.#looking = undefined;
      this.#onLooked();
    });
    if (isOnce) await this.#looking;
    else this.#looking.catch(() => {});
  }

  async #ask(work: Work, isOnce: boolean): Promise<void> {
    const { clock, memory } = this.#parts;
    const known = memory.activities.rankedCount;
    this.#askedMs = clock.now();
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
    const { activities } = this.#parts.memory;
    const fromAt = this.#from.get(range) ?? RANKED_FROM;
    const [first, last] = [results[0]?.["visibleAt"], results.at(-1)?.["visibleAt"]].map(Number);
    const isLast = !hasMore || last === undefined || Number.isNaN(last);
    if (isLast) this.#from.delete(range);
    else this.#from.set(range, first === last ? last + 1 : last);
    const listed = new Set<string>();
    for (const document of results) {
      const row = rowOf(document);
      if (row === undefined) continue;
      listed.add(row.id);
      this.#rangeOf.set(row.id, range);
      activities.found(row);
    }
    this.#forgetMissing(range, { fromAt, toAt: isLast ? RANKED_TO : last, listed });
  }

  /** Rows that the page would have listed were taken by others. A replica may lag behind, so new ones stay. */
  #forgetMissing(range: string, { fromAt, toAt, listed }: Listed): void {
    const untilMs = this.#askedMs - LAG_MS;
    const isThere = ({ id }: ActivityRow): boolean =>
      this.#cursors.ranges === 1 || this.#rangeOf.get(id) === range;
    this.#parts.memory.activities.forget((row) => {
      const { visibleAt } = row.document;
      const isCovered = visibleAt >= fromAt && visibleAt < toAt && acceptsTag(this.#tagFilter, row.item.tag);
      return isCovered && row.visibleAtMs < untilMs && !listed.has(row.id) && isThere(row);
    });
    if (this.#rangeOf.size > MOST_REMEMBERED) this.#rangeOf.clear();
  }
}

interface Listed {
  readonly fromAt: number;
  /** The place before which the page has all rows. */
  readonly toAt: number;
  readonly listed: ReadonlySet<string>;
}

/** A ranked row was stored by this package, so one that cannot be decoded is of a later version, which serves it. */
function rowOf(document: Stored): ActivityRow | undefined {
  try {
    return toActivityRow(document);
  } catch {
    return undefined;
  }
}
