/**
 * The entries that one reader gets of the pages of a stream (docs/decisions/streams.md).
 *
 * - page-entries.PE1: Without `all`, values of an attempt that another one has replaced are left out. A reader that may
 *   have got some of them, here or before it resumed, gets a reset before it gets anything else.
 * - page-entries.PE2: With `all`, each reset stands before the first value of its attempt.
 */
import type { StreamBatch, StreamPage, StreamRestart } from "../../contract/streams.ts";
import type { StreamEntry, StreamGap, StreamReset } from "../../define/stream.ts";

/** An entry whose value is not decoded yet. */
export type PageEntry = StreamEntry<string> | StreamReset | StreamGap;

/** The place of readers in a stream, with what they know. It stays as it is. */
export interface Place {
  readonly all: boolean;
  /** Offset of the next value. */
  readonly at: number;
  /** The newest attempt by step that the reader knows to have begun. */
  readonly known: ReadonlyMap<string, number>;
  /** Offset at which the reader was when values were gone; undefined where none were. */
  readonly gapFrom: number | undefined;
}

/** The entries of a page for readers at this place, and their place behind it. */
export function entriesOf(place: Place, page: StreamPage): { entries: readonly PageEntry[]; next: Place } {
  const walk = new Walk(place);
  const entries = [...walk.of(page)];
  return { entries, next: walk.place };
}

class Walk {
  readonly #all: boolean;
  at: number;
  readonly #known: Map<string, number>;
  #gapFrom: number | undefined;

  constructor({ all, at, known, gapFrom }: Place) {
    this.#all = all;
    this.at = at;
    this.#known = new Map(known);
    this.#gapFrom = gapFrom;
  }

  get place(): Place {
    return { all: this.#all, at: this.at, known: this.#known, gapFrom: this.#gapFrom };
  }

  *of(page: StreamPage): Generator<PageEntry, void, undefined> {
    const newest = new Map(page.restarts.map(({ step, attempt }) => [step, attempt]));
    if (this.at < page.first) {
      this.#gapFrom = this.at;
      const skipped = page.first - this.at;
      this.at = page.first;
      yield { skipped };
    }
    if (!this.#all) yield* this.#resets(page, newest);
    for (const batch of page.batches) yield* this.#batch(page, batch, newest);
  }

  /** page-entries.PE1: the first restart that the reader does not know says what the values before it are. */
  *#resets({ restarts }: StreamPage, newest: ReadonlyMap<string, number>): Generator<StreamReset> {
    for (const { step, attempt, fromOffset } of restarts) {
      if (attempt <= (this.#known.get(step) ?? 0)) continue;
      const begun = newest.get(step) ?? attempt;
      this.#known.set(step, begun);
      if (fromOffset < this.at) yield { reset: { step, attempt: begun, fromOffset } };
    }
  }

  *#batch(page: StreamPage, batch: StreamBatch, newest: ReadonlyMap<string, number>): Generator<PageEntry> {
    const { offset, values, step, attempt } = batch;
    const end = offset + values.length;
    if (end <= this.at) return;
    const isVoid = step !== undefined && (newest.get(step) ?? attempt) > attempt;
    if (isVoid && !this.#all) {
      this.at = end;
      return;
    }
    if (step !== undefined) yield* this.#resetOf(page, batch, step);
    for (const [index, value] of values.entries()) {
      if (offset + index < this.at) continue;
      this.at = offset + index + 1;
      yield { offset: offset + index, value, ...(step !== undefined && { step }), attempt };
    }
  }

  *#resetOf(
    { restarts, first }: StreamPage,
    { offset, attempt, since }: StreamBatch,
    step: string,
  ): Generator<StreamReset> {
    const restart = restarts.find((each: StreamRestart) => each.at === offset);
    if (restart !== undefined) {
      if (this.#all) yield { reset: { step, attempt, fromOffset: restart.fromOffset } };
      return;
    }
    // The beginning of the attempt is gone, and with it what it replaces.
    const gapFrom = this.#gapFrom ?? 0;
    const isUnknown = attempt > 1 && since < first && gapFrom > 0 && since >= gapFrom;
    if (!isUnknown || attempt <= (this.#known.get(step) ?? 0)) return;
    this.#known.set(step, attempt);
    yield { reset: { step, attempt, fromOffset: 0 } };
  }
}
