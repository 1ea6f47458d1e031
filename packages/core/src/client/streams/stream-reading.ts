/** Reads a stream: `handle.stream`. */
import type { StreamItem, StreamReadOptions, StreamSource } from "./read-stream.ts";
import { type EventsOptions, eventsResponse, offsetAfter } from "./server-sent-events.ts";
import { checkStreamOptions } from "./stream-options.ts";

/**
 * A reading of a stream: iterate over it, or send it to a browser. It waits for values, goes on over continue-as-new, and
 * ends with the stream or its instance.
 */
export class StreamReading<T> implements AsyncIterable<StreamItem<T>> {
  readonly #source: StreamSource;
  readonly #options: StreamReadOptions;

  constructor(source: StreamSource, options: StreamReadOptions) {
    checkStreamOptions(options);
    this.#source = source;
    this.#options = options;
  }

  /** Reads from the beginning, or from where the options say, each time it is called. */
  [Symbol.asyncIterator](): AsyncGenerator<StreamItem<T>, void, undefined> {
    return new LaterItems<T>(this.#source, this.#options);
  }

  /**
   * Server-sent events: `id` is the offset and `data` the value as JSON; a reset is an event of its own. The response ends
   * with the reading, and the reading with the response. `lastEventId` is the header `Last-Event-ID` of a browser that
   * comes back. InvalidInputError for one that is no offset.
   *
   * @example
   * ```ts
   * return handle.stream(tokens).toResponse({ lastEventId: request.headers.get("last-event-id") });
   * ```
   */
  toResponse({ lastEventId }: EventsOptions = {}): Response {
    const { from = 0 } = this.#options;
    const options = { ...this.#options, from: offsetAfter(lastEventId) ?? from };
    return eventsResponse(options.signal, (signal) => new LaterItems(this.#source, { ...options, signal }));
  }
}

type Items<T> = AsyncGenerator<StreamItem<T>, void, undefined>;

/** The items of a reading, whose code is loaded at the first use: most programs read no stream, and start faster so. */
class LaterItems<T> implements Items<T> {
  readonly #load: () => Promise<Items<T>>;
  /** Present once it is loaded: then no promise stands between the calls. */
  #items: Items<T> | undefined;
  /** Life of the id whose stream is read, for servers whose readers come back; absent while its start waits. */
  life: string | undefined;

  constructor(source: StreamSource, options: StreamReadOptions) {
    let loading: Promise<Items<T>> | undefined;
    const load = async (): Promise<Items<T>> => {
      const { readStream } = await import("./read-stream.ts");
      this.#items = readStream<T>(source, options, (life) => {
        this.life = life;
      });
      return this.#items;
    };
    this.#load = () => (loading ??= load());
  }

  next(): ReturnType<Items<T>["next"]> {
    return this.#items?.next() ?? this.#load().then((items) => items.next());
  }

  return(): ReturnType<Items<T>["next"]> {
    return this.#items?.return() ?? this.#load().then((items) => items.return());
  }

  throw(error: unknown): ReturnType<Items<T>["next"]> {
    return this.#items?.throw(error) ?? this.#load().then((items) => items.throw(error));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}
