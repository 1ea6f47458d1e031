/**
 * A search over the physical partitions, page by page. Each partition has a state of its own.
 *
 * - range-cursors.C1: A partition that throttles, fails, is split or is slow delays no other: answers are used as they
 *   come, a slow answer later, and a partition that failed is skipped until its back-off is over.
 * - range-cursors.C2: A partition that does not exist any more is not queried again: the list of partitions is read
 *   again, and new partitions begin at the front.
 * - range-cursors.C3: A continuation is dropped when its partition does not exist any more, and after every error that
 *   a retry would not mend. The search of that partition then begins at the front; a row that is found twice does no
 *   harm.
 * - range-cursors.C4: One request for each partition at a time, for all callers.
 */
import type { SqlQuerySpec } from "@azure/cosmos";
import { type CancelTimer, ProviderError } from "@duroxide-ts/core";
import { invariant, onAbort } from "@duroxide-ts/core/stores";
import type { Work } from "../memory/parts.ts";
import { failureOf, isTransient, toProviderError } from "../service/failure.ts";
import type { Page } from "../service/pages.ts";
import { backOffMs } from "../service/persist.ts";
import { isRangeGone } from "../service/ranges.ts";
import { Round } from "./round.ts";

export interface CursorsOptions<Found> {
  /** Rows of one answer. */
  readonly limit: number;
  /** Aborts the requests under way. */
  readonly stop: AbortSignal;
  /** Handles the answer of one partition. `isLate`: the query is over. */
  readonly onPage: (answer: RangePage<Found>, isLate: boolean) => Promise<void> | void;
}

export interface RangePage<Found> {
  readonly range: string;
  readonly results: readonly Found[];
  /** The page has a continuation. */
  readonly hasMore: boolean;
}

export interface AskOptions {
  /** `failed`: only partitions that have failed and not answered since. */
  readonly which: "all" | "failed";
  /** Whether to wait for all partitions, also slow ones. */
  readonly waitsForAll: boolean;
}

interface Cursor {
  readonly range: string;
  /** The continuation of the last page, and its query. */
  more: { readonly spec: SqlQuerySpec; readonly continuation: string } | undefined;
  /** The partition has failed, and has not answered since. */
  isWanted: boolean;
  notBeforeMs: number;
  failures: number;
  asking: Promise<void> | undefined;
}

/** The query for a partition, out of this number; undefined to skip it. */
export type Question = (range: string, ranges: number) => SqlQuerySpec | undefined;

/** A query of one partition. */
interface Asked {
  readonly work: Work;
  readonly cursor: Cursor;
  readonly question: Question;
  readonly round: Round;
  /** The list of partitions at the time of the query. */
  readonly listed: Promise<readonly string[]> | undefined;
}

/** How long to wait after the first rows for partitions that answer at about the same time, ms. */
const GRACE_MS = 10;
/** How long to wait after the first answer without rows for rows of other partitions, ms. */
const STRAGGLER_MS = 200;
/** How often in a row partitions that replace others are queried at once. */
const MOST_CHANGES = 5;
/** The pause between two reads of the list while a partition is being split, merged or moved, ms. */
const CHANGING_MS = 100;

const NEVER: number = Number.POSITIVE_INFINITY;

export class RangeCursors<Found> {
  readonly #options: CursorsOptions<Found>;
  #cursors = new Map<string, Cursor>();
  /** The list of partitions that `#cursors` has. */
  #listed: Promise<readonly string[]> | undefined;
  #error: ProviderError | undefined;

  constructor(options: CursorsOptions<Found>) {
    this.#options = options;
  }

  /** A partition has a continuation of its last page. */
  get hasMore(): boolean {
    return this.#some(({ more }) => more !== undefined);
  }

  /** A partition has failed and not answered since. */
  get isIncomplete(): boolean {
    return this.#error !== undefined || this.#some(({ isWanted }) => isWanted);
  }

  /** Time to query the first failed partition again, ms since the epoch; infinite if none has failed. */
  get retryMs(): number {
    let first = NEVER;
    for (const { isWanted, asking, notBeforeMs } of this.#cursors.values()) {
      if (isWanted && asking === undefined) first = Math.min(first, notBeforeMs);
    }
    return first;
  }

  /** The error if no partition answered the last query; undefined if one did. */
  get error(): ProviderError | undefined {
    return this.#error;
  }

  /** The number of partitions; 0 before the first query. */
  get ranges(): number {
    return this.#cursors.size;
  }

  /** The next query begins at the front of every partition. */
  restart(): void {
    for (const cursor of this.#cursors.values()) cursor.more = undefined;
  }

  /**
   * Queries the partitions with a continuation, or all if there are none, or only those that have failed. Resolves when
   * the prompt answers are handled. Throws if every partition refuses the query permanently.
   */
  async ask(work: Work, question: Question, { which, waitsForAll }: AskOptions): Promise<void> {
    const round = new Round();
    try {
      await this.#list(work);
    } catch (error) {
      this.#error = toError(work, error);
      throw error;
    }
    const wasMore = this.hasMore;
    for (const cursor of this.#cursors.values()) {
      if (which === "failed" ? !cursor.isWanted : wasMore && cursor.more === undefined) continue;
      this.#begin(work, cursor, question, round, which === "all");
    }
    await this.#heard(work, round, waitsForAll);
    round.isOver = true;
    if (round.refusal !== undefined && !round.hasAnswer) throw round.refusal;
  }

  #some(is: (cursor: Cursor) => boolean): boolean {
    for (const cursor of this.#cursors.values()) if (is(cursor)) return true;
    return false;
  }

  /** Updates the cursors from the list of partitions. */
  async #list(work: Work): Promise<readonly Cursor[]> {
    // Other calls wait for the same list, so the signal of this call does not abort the read.
    const reading = work.ranges.known ?? work.ranges.ids(this.#shared(work));
    if (this.#listed === reading) return [];
    const ids = await reading;
    this.#listed = reading;
    const before = this.#cursors;
    this.#cursors = new Map(ids.map((range) => [range, before.get(range) ?? newCursor(range)]));
    return [...this.#cursors.values()].filter(({ range }) => !before.has(range));
  }

  /** Requests for all callers, which only the end of the searches aborts. */
  #shared(work: Work): Work {
    return work.within(work.untilMs - work.clock.now(), this.#options.stop);
  }

  #begin(work: Work, cursor: Cursor, question: Question, round: Round, isWanted: boolean): void {
    const spec = cursor.more?.spec ?? question(cursor.range, this.#cursors.size);
    if (spec === undefined) return;
    if (isWanted) cursor.isWanted = true;
    if (cursor.asking === undefined && cursor.notBeforeMs > work.clock.now()) return;
    cursor.asking ??= this.#ask({ work, cursor, question, round, listed: this.#listed }, spec).finally(() => {
      cursor.asking = undefined;
    });
    round.add(cursor.asking);
  }

  async #ask(asked: Asked, spec: SqlQuerySpec): Promise<void> {
    const { work, cursor, round } = asked;
    const { limit, stop } = this.#options;
    const asking = cursor.more?.spec ?? spec;
    try {
      const page = await this.#shared(work).scan<Found>(
        cursor.range,
        asking,
        limit,
        cursor.more?.continuation,
      );
      await this.#take(cursor, asking, page, round);
    } catch (error) {
      work.service.queryRefused(asking, error);
      if (!stop.aborted) await this.#failed(asked, spec, error);
    }
  }

  async #take(cursor: Cursor, spec: SqlQuerySpec, page: Page<Found>, round: Round): Promise<void> {
    invariant(cursor.asking !== undefined, "range-cursors.C4");
    const { range } = cursor;
    const { results, continuation } = page;
    cursor.more = continuation === undefined ? undefined : { spec, continuation };
    cursor.isWanted = false;
    cursor.failures = 0;
    cursor.notBeforeMs = 0;
    this.#error = undefined;
    await this.#options.onPage({ range, results, hasMore: continuation !== undefined }, round.isOver);
    round.answered(results.length > 0);
  }

  async #failed(asked: Asked, spec: SqlQuerySpec, error: unknown): Promise<void> {
    const { work, cursor, round } = asked;
    const failure = failureOf(error);
    const isTemporary = isTransient(failure);
    const hadMore = cursor.more !== undefined;
    cursor.failures++;
    cursor.isWanted = true;
    const isGone = isRangeGone(failure);
    if (isGone || !isTemporary) cursor.more = undefined;
    // If the service does not answer at all, one pace applies to all requests.
    const growingMs = work.isOut ? CHANGING_MS : Math.ceil(backOffMs(cursor.failures, work.service.random));
    const delayMs = Math.max(failure.retryAfterMs ?? 0, growingMs);
    cursor.notBeforeMs = work.clock.now() + delayMs;
    if (isGone) return this.#changed(asked);
    if (!isTemporary && !hadMore) round.refusal = toError(work, error);
    const mayRepeat = (isTemporary || hadMore) && delayMs === 0 && cursor.failures === 1;
    if (mayRepeat) return this.#ask({ ...asked, listed: this.#listed }, spec);
    if (!this.#some(({ failures }) => failures === 0)) this.#error = toError(work, error);
  }

  /** Partitions that replace another one are queried at once; a partition that still exists is queried later. */
  async #changed({ work, cursor: gone, question, round, listed }: Asked): Promise<void> {
    gone.notBeforeMs = Math.max(gone.notBeforeMs, work.clock.now() + CHANGING_MS);
    work.ranges.forget(listed);
    if (++round.changes > MOST_CHANGES) return;
    try {
      for (const cursor of await this.#list(work)) {
        this.#begin(work, cursor, question, round, true);
      }
    } catch {
      // The next query reads the list.
    }
  }

  /** Waits until all have answered, or some have and the others are slow, or the call is aborted. */
  #heard({ clock, signal }: Work, round: Round, waitsForAll: boolean): Promise<void> {
    if (round.isComplete) return Promise.resolve();
    return new Promise((resolve) => {
      let cancel: CancelTimer | undefined;
      let isShort = false;
      const end = (): void => {
        cancel?.();
        forget();
        resolve();
      };
      const forget = onAbort(signal, end);
      const endAfter = (delayMs: number): void => {
        cancel?.();
        cancel = clock.schedule(delayMs, end);
      };
      round.onChange(() => {
        if (round.isComplete) end();
        else if (round.hasRows && !isShort) {
          isShort = true;
          endAfter(GRACE_MS);
        } else if (round.hasAnswer && !waitsForAll) cancel ??= clock.schedule(STRAGGLER_MS, end);
      });
      if (signal?.aborted === true) end();
    });
  }
}

function newCursor(range: string): Cursor {
  return { range, more: undefined, isWanted: false, notBeforeMs: 0, failures: 0, asking: undefined };
}

function toError(work: Work, error: unknown): ProviderError {
  return ProviderError.is(error) ? error : toProviderError(work.operation, failureOf(error));
}
