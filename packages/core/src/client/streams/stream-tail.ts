/**
 * The end of one stream, for all its readers in this process that wait there: they are woken together and read together.
 *
 * - stream-tail.ST1: Readers at the same offset share one read of the store, and those that know the same share what is made
 *   of it. One that begins after a notice shares none that began before it.
 * - stream-tail.ST2: While a reader waits, a timer ends the wait after the time that the store names, unless the store
 *   tells of everything. However many wait, each time costs one read.
 */
import { ChurningMap } from "../../collections/churning-map.ts";
import type { CancelTimer, Clock } from "../../contract/clock.ts";
import { onAbort } from "../../contract/on-abort.ts";
import type { Provider } from "../../contract/provider.ts";
import { noStreams, type StreamPage, streamKey } from "../../contract/streams.ts";
import type { Place } from "./page-entries.ts";
import { Portion } from "./portion.ts";

/** Readers at more places than these share less. */
const MOST_PLACES = 100;

type Page = Promise<StreamPage | undefined>;
/** `undefined` where the stream has no instance. */
type Portions = Promise<Portion | undefined>;

const tails = new WeakMap<Provider, ChurningMap<string, StreamTail>>();

export class StreamTail {
  readonly #provider: Provider;
  readonly #clock: Clock;
  readonly #instanceId: string;
  readonly #stream: string;
  #readers = 0;
  #unwatch: readonly (() => void)[] = [];
  /** Reads that have not ended, by their offset. */
  readonly #reads = new Map<number, Page>();
  readonly #portions = new Map<Place, Portions>();
  /** Places since the last notice, so that readers who know the same have the same. */
  readonly #places = new Map<string, Place>();
  /** Incremented by everything that may have changed the stream. */
  notices = 0;
  /** Ends the wait of all readers without a signal. */
  #next: PromiseWithResolvers<void> | undefined;
  readonly #waiting = new Set<() => void>();
  #cancelPoll: CancelTimer | undefined;

  private constructor(provider: Provider, clock: Clock, instanceId: string, stream: string) {
    this.#provider = provider;
    this.#clock = clock;
    this.#instanceId = instanceId;
    this.#stream = stream;
  }

  /** The tail of the stream; the caller leaves it when it has read enough. */
  static enter(provider: Provider, clock: Clock, instanceId: string, stream: string): StreamTail {
    const ofProvider = tails.get(provider) ?? new ChurningMap<string, StreamTail>();
    tails.set(provider, ofProvider);
    const key = streamKey(instanceId, stream);
    const tail = ofProvider.get(key) ?? new StreamTail(provider, clock, instanceId, stream);
    ofProvider.set(key, tail);
    if (tail.#readers++ === 0) tail.#watch();
    return tail;
  }

  leave(): void {
    if (--this.#readers > 0) return;
    for (const unwatch of this.#unwatch) unwatch();
    this.#unwatch = [];
    this.#cancelPoll?.();
    this.#cancelPoll = undefined;
    tails.get(this.#provider)?.delete(streamKey(this.#instanceId, this.#stream));
  }

  /** The place of a reader that knows nothing yet. */
  begin(from: number, all: boolean): Place {
    return this.#joined({ at: from, all, known: new Map(), gapFrom: undefined });
  }

  /** The next entries of the reader (stream-tail.ST1). */
  read(place: Place): Portions {
    const known = this.#portions.get(place);
    if (known !== undefined) return known;
    const portion = this.#portion(place);
    this.#portions.set(place, portion);
    const forget = (): void => {
      if (this.#portions.get(place) === portion) this.#portions.delete(place);
    };
    portion.then(forget, forget);
    return portion;
  }

  async #portion(place: Place): Portions {
    const page = await this.#page(place.at);
    return page && new Portion(place, page, (next) => this.#joined(next));
  }

  #joined(place: Place): Place {
    const key = JSON.stringify([place.at, place.all, place.gapFrom, ...place.known]);
    const same = this.#places.get(key);
    if (same !== undefined) return same;
    if (this.#places.size < MOST_PLACES) this.#places.set(key, place);
    return place;
  }

  #page(from: number): Page {
    const known = this.#reads.get(from);
    if (known !== undefined) return known;
    const page = this.#read(from);
    this.#reads.set(from, page);
    const forget = (): void => {
      if (this.#reads.get(from) === page) this.#reads.delete(from);
    };
    page.then(forget, forget);
    return page;
  }

  /** Resolves when something may have changed since so many notices, or when `signal` aborts. */
  changed(since: number, signal: AbortSignal | undefined): Promise<void> | undefined {
    if (this.notices !== since || signal?.aborted === true) return undefined;
    this.#arm();
    if (signal !== undefined) return this.#changedOr(signal);
    this.#next ??= Promise.withResolvers();
    return this.#next.promise;
  }

  async #changedOr(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const forget = onAbort(signal, resolve);
    this.#waiting.add(resolve);
    await promise;
    this.#waiting.delete(resolve);
    forget();
  }

  async #read(from: number): Page {
    const provider = this.#provider;
    if (provider.readStream === undefined) throw noStreams("readStream", provider.name);
    return provider.readStream({ instanceId: this.#instanceId, stream: this.#stream, from });
  }

  #watch(): void {
    const notice = (): void => this.#notice();
    const ofInstance = this.#provider.watchInstance?.(this.#instanceId, notice);
    const ofStream = this.#provider.watchStream?.(this.#instanceId, this.#stream, notice);
    this.#unwatch = [ofInstance, ofStream].filter((unwatch) => unwatch !== undefined);
  }

  #notice(): void {
    this.notices++;
    this.#reads.clear();
    this.#portions.clear();
    this.#places.clear();
    this.#next?.resolve();
    this.#next = undefined;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** stream-tail.ST2 */
  #arm(): void {
    const { streamPollMs = Number.POSITIVE_INFINITY } = this.#provider;
    if (this.#cancelPoll !== undefined || streamPollMs === Number.POSITIVE_INFINITY) return;
    this.#cancelPoll = this.#clock.schedule(streamPollMs, () => {
      this.#cancelPoll = undefined;
      if (this.#waiting.size > 0 || this.#next !== undefined) this.#notice();
    });
  }
}
