/** Reads a stream: `handle.stream`. */
import type { Clock } from "../../contract/clock.ts";
import { sleep } from "../../contract/clock.ts";
import type { Provider } from "../../contract/provider.ts";
import { ProviderError } from "../../contract/provider-error.ts";
import type { StreamEntry, StreamGap, StreamReset } from "../../define/stream.ts";
import { CancelledError, InvalidInputError } from "../../errors/duroxide-error.ts";
import { StreamError } from "../../errors/stream-error.ts";
import { methodsFault, wholeNumberFault } from "../../options/option-kinds.ts";
import { checkOptions, type OptionList, optionList } from "../../options/option-list.ts";
import type { NamingCodec } from "../../payload/limited-codec.ts";
import { PageEntries } from "./page-entries.ts";
import { type EventsOptions, eventsResponse, offsetAfter } from "./server-sent-events.ts";
import { StreamTail } from "./stream-tail.ts";

/** The place where a reader begins, and the values that it gets. */
export interface StreamReadOptions {
  /** Offset of the first value; 0 by default. To go on, the one after the last that was read. */
  readonly from?: number;
  /** Whether values of attempts that others have replaced come too; false by default. */
  readonly all?: boolean;
  /** Rejects with CancelledError when it aborts. */
  readonly signal?: AbortSignal;
}

/** An item that a reader gets: a value, or something that it has to know about those before. */
export type StreamItem<T> = StreamEntry<T> | StreamReset | StreamGap;

/** The stream that is read, and with what. */
export interface StreamSource {
  readonly provider: Provider;
  readonly clock: Clock;
  readonly codec: NamingCodec;
  readonly instanceId: string;
  readonly stream: string;
}

const READ_OPTIONS: OptionList = optionList<StreamReadOptions>({ from: true, all: true, signal: true });
/** How long a reader waits while the store cannot be reached, ms. */
const RETRY_MS = 1_000;

/**
 * A reading of a stream: iterate over it, or send it to a browser. It waits for values, goes on over continue-as-new, and
 * ends with the stream or its instance.
 */
export class StreamReading<T> implements AsyncIterable<StreamItem<T>> {
  readonly #source: StreamSource;
  readonly #options: StreamReadOptions;

  constructor(source: StreamSource, options: StreamReadOptions) {
    checkOptions("stream", options, READ_OPTIONS);
    const fault =
      wholeNumberFault("stream: from", options.from, 0) ??
      methodsFault("stream: signal", options.signal, ["addEventListener"]);
    if (fault !== undefined) throw new InvalidInputError(fault);
    this.#source = source;
    this.#options = options;
  }

  [Symbol.asyncIterator](): AsyncGenerator<StreamItem<T>, void, undefined> {
    return readStream<T>(this.#source, this.#options);
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
    return eventsResponse(options.signal, (signal) => readStream(this.#source, { ...options, signal }));
  }
}

async function* readStream<T>(
  { provider, clock, codec, instanceId, stream }: StreamSource,
  { from = 0, all = false, signal }: StreamReadOptions,
): AsyncGenerator<StreamItem<T>, void, undefined> {
  const tail = StreamTail.enter(provider, clock, instanceId, stream);
  const entries = new PageEntries(from, all);
  let isKnown = false;
  let life = "";
  try {
    for (;;) {
      if (signal?.aborted === true) throw new CancelledError(signal.reason);
      const { notices } = tail;
      const page = await patiently(clock, () => tail.read(entries.at), signal);
      if (page === "unavailable") continue;
      if (page === undefined || (life !== "" && page.life !== life))
        throw new StreamError(isKnown ? "gone" : "not-found", { instanceId, stream });
      isKnown = true;
      life = page.life;
      for (const entry of entries.of(page)) {
        yield (
          typeof entry.value === "string" ? { ...entry, value: codec.decode(entry.value) } : entry
        ) as StreamItem<T>;
      }
      if (entries.at < page.next && page.batches.length > 0) continue;
      if (page.state === "ended") return;
      await tail.changed(notices, signal);
    }
  } finally {
    tail.leave();
  }
}

/** A store that cannot be reached now is asked again. */
async function patiently<R>(
  clock: Clock,
  read: () => Promise<R>,
  signal: AbortSignal | undefined,
): Promise<R | "unavailable"> {
  try {
    return await read();
  } catch (error) {
    if (!ProviderError.is(error) || !error.retryable) throw error;
    await sleep(clock, RETRY_MS, signal);
    return "unavailable";
  }
}
