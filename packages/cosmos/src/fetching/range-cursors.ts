/**
 * A search over the physical partitions, page by page. Each partition has a state of its own.
 *
 * C1. A partition that throttles, fails, is split or is slow delays no other: what has come is used, a slow answer is
 *     taken when it comes, and a partition that failed is left out until its time.
 * C2. A partition that is gone is not asked again: the list of partitions is read anew, and new ones begin at the front.
 * C3. A continuation is dropped when the partition is gone and after every error that a repetition would not mend. The
 *     search of that partition then begins again at the front; finding a row twice does no harm.
 * C4. One request for each partition at a time, whoever asks.
 */
import type { SqlQuerySpec } from "@azure/cosmos";
import { type CancelTimer, ProviderError } from "@duroxide-ts/core";
import { failureOf, isTransient, toProviderError } from "../service/failure.ts";
import { backOffMs } from "../service/persist.ts";
import { isRangeGone } from "../service/ranges.ts";
import type { Page } from "../service/requests.ts";
import type { Call, Service } from "../service/service.ts";
import { Round } from "./round.ts";

export interface CursorsOptions<Found> {
  readonly service: Service;
  /** Rows of one answer. */
  readonly limit: number;
  /** Ends the requests under way. */
  readonly stop: AbortSignal;
  /** Takes what one partition answered. `isLate`: nobody waits for it any more. */
  readonly onPage: (answer: RangePage<Found>, isLate: boolean) => Promise<void> | void;
}

export interface RangePage<Found> {
  readonly range: string;
  readonly results: readonly Found[];
  /** There is more behind it. */
  readonly hasMore: boolean;
}

export interface Asking {
  /** `failed`: those that have failed and not answered since. */
  readonly which: "all" | "failed";
  /** Otherwise not for those that are slower than others. */
  readonly waitsForAll: boolean;
}

interface Cursor {
  readonly range: string;
  /** Where the last page ended, with its question. */
  more: { readonly spec: SqlQuerySpec; readonly continuation: string } | undefined;
  /** It has failed, and has not answered since. */
  isWanted: boolean;
  notBeforeMs: number;
  failures: number;
  asking: Promise<void> | undefined;
}

/** What to ask a partition, of so many; undefined where it is left out. */
export type Question = (range: string, ranges: number) => SqlQuerySpec | undefined;

/** A question to one partition. */
interface Asked {
  readonly call: Call;
  readonly cursor: Cursor;
  readonly question: Question;
  readonly round: Round;
  /** The list of partitions when it was asked. */
  readonly listed: Promise<readonly string[]> | undefined;
}

/** After the first rows, for other partitions that answer at about the same time. */
const GRACE_MS = 10;
/** After the first answer of a partition, for rows of others. */
const STRAGGLER_MS = 200;
/** Partitions that take the place of others are asked at once so often in a row. */
const MOST_CHANGES = 5;
/** Between two looks at the list while a partition is being split, merged or moved. */
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

  /** Some partition has more behind its last page. */
  get hasMore(): boolean {
    return this.#some(({ more }) => more !== undefined);
  }

  /** Some partition has failed and not answered since. */
  get isIncomplete(): boolean {
    return this.#error !== undefined || this.#some(({ isWanted }) => isWanted);
  }

  /** When the first one that has failed may be asked again, ms since the epoch; infinite where none has. */
  get retryMs(): number {
    let first = NEVER;
    for (const { isWanted, asking, notBeforeMs } of this.#cursors.values()) {
      if (isWanted && asking === undefined) first = Math.min(first, notBeforeMs);
    }
    return first;
  }

  /** Why no partition could be asked the last time; undefined where one has answered. */
  get error(): ProviderError | undefined {
    return this.#error;
  }

  /** How many partitions there are; 0 before the first question. */
  get ranges(): number {
    return this.#cursors.size;
  }

  /** The next question begins at the front everywhere. */
  restart(): void {
    for (const cursor of this.#cursors.values()) cursor.more = undefined;
  }

  /**
   * Asks the partitions: those that have more, or all where none has, or only those that have failed. Resolves once
   * what could be had at once was taken. Throws where every partition refuses the question for good.
   */
  async ask(call: Call, question: Question, { which, waitsForAll }: Asking): Promise<void> {
    const round = new Round();
    try {
      await this.#list(call);
    } catch (error) {
      this.#error = toError(call, error);
      throw error;
    }
    const wasMore = this.hasMore;
    for (const cursor of this.#cursors.values()) {
      if (which === "failed" ? !cursor.isWanted : wasMore && cursor.more === undefined) continue;
      this.#begin(call, cursor, question, round, which === "all");
    }
    await this.#heard(call, round, waitsForAll);
    round.isOver = true;
    if (round.refusal !== undefined && !round.hasAnswer) throw round.refusal;
  }

  #some(is: (cursor: Cursor) => boolean): boolean {
    for (const cursor of this.#cursors.values()) if (is(cursor)) return true;
    return false;
  }

  /** Brings the cursors up to date with the list of partitions. */
  async #list(call: Call): Promise<readonly Cursor[]> {
    const { service, stop } = this.#options;
    // Others wait for the same list, so it is not bound to the signal of this call.
    const own = service.call(call.operation, call.untilMs - service.clock.now(), stop);
    const reading = call.ranges.known ?? call.ranges.ids(own);
    if (this.#listed === reading) return [];
    const ids = await reading;
    this.#listed = reading;
    const before = this.#cursors;
    this.#cursors = new Map(ids.map((range) => [range, before.get(range) ?? newCursor(range)]));
    return [...this.#cursors.values()].filter(({ range }) => !before.has(range));
  }

  #begin(call: Call, cursor: Cursor, question: Question, round: Round, isWanted: boolean): void {
    const spec = question(cursor.range, this.#cursors.size);
    if (spec === undefined) return;
    if (isWanted) cursor.isWanted = true;
    if (cursor.asking === undefined && cursor.notBeforeMs > this.#options.service.clock.now()) return;
    cursor.asking ??= this.#ask({ call, cursor, question, round, listed: this.#listed }, spec).finally(() => {
      cursor.asking = undefined;
    });
    round.add(cursor.asking);
  }

  async #ask(asked: Asked, spec: SqlQuerySpec): Promise<void> {
    const { call, cursor, round } = asked;
    const { service, limit, stop } = this.#options;
    const asking = cursor.more?.spec ?? spec;
    const own = service.call(call.operation, call.untilMs - service.clock.now(), stop);
    try {
      const page = await own.scan<Found>(cursor.range, asking, limit, cursor.more?.continuation);
      await this.#take(cursor, asking, page, round);
    } catch (error) {
      if (!stop.aborted) await this.#failed(asked, spec, error);
    }
  }

  async #take(cursor: Cursor, spec: SqlQuerySpec, page: Page<Found>, round: Round): Promise<void> {
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
    const { call, cursor, round } = asked;
    const { clock, random } = this.#options.service;
    const failure = failureOf(error);
    const isTemporary = isTransient(failure);
    const hadMore = cursor.more !== undefined;
    cursor.failures++;
    cursor.isWanted = true;
    const isGone = isRangeGone(failure);
    if (isGone || !isTemporary) cursor.more = undefined;
    // Where the service does not answer at all, all requests are paced together.
    const growingMs = call.isOut ? CHANGING_MS : Math.ceil(backOffMs(cursor.failures, random));
    const delayMs = Math.max(failure.retryAfterMs ?? 0, growingMs);
    cursor.notBeforeMs = clock.now() + delayMs;
    if (isGone) return this.#changed(asked);
    if (!isTemporary && !hadMore) round.refusal = toError(call, error);
    const mayRepeat = (isTemporary || hadMore) && delayMs === 0 && cursor.failures === 1;
    if (mayRepeat) return this.#ask({ ...asked, listed: this.#listed }, spec);
    if (!this.#some(({ failures }) => failures === 0)) this.#error = toError(call, error);
  }

  /** Those that take the place of one that is gone are asked at once; one that is still there a little later. */
  async #changed({ call, cursor: gone, question, round, listed }: Asked): Promise<void> {
    const { clock } = this.#options.service;
    gone.notBeforeMs = Math.max(gone.notBeforeMs, clock.now() + CHANGING_MS);
    call.ranges.forget(listed);
    if (++round.changes > MOST_CHANGES) return;
    try {
      for (const cursor of await this.#list(call)) {
        this.#begin(call, cursor, question, round, true);
      }
    } catch {
      // The next question reads the list.
    }
  }

  /** Until all have answered, or some have and the rest is slow, or the call is aborted. */
  #heard({ signal }: Call, round: Round, waitsForAll: boolean): Promise<void> {
    const { clock } = this.#options.service;
    if (round.isComplete) return Promise.resolve();
    return new Promise((resolve) => {
      let cancel: CancelTimer | undefined;
      let isShort = false;
      const end = (): void => {
        cancel?.();
        signal?.removeEventListener("abort", end);
        resolve();
      };
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
      signal?.addEventListener("abort", end, { once: true });
      if (signal?.aborted === true) end();
    });
  }
}

function newCursor(range: string): Cursor {
  return { range, more: undefined, isWanted: false, notBeforeMs: 0, failures: 0, asking: undefined };
}

function toError(call: Call, error: unknown): ProviderError {
  return ProviderError.is(error) ? error : toProviderError(call.operation, failureOf(error));
}
