/**
 * A reading of a stream over HTTP.
 *
 * - http-reading.HR1: The reading goes on where it was when the connection ends before the stream has: after a failure of
 *   the network, and when the server stops.
 */
import {
  CancelledError,
  checkOptions,
  type EventsOptions,
  eventsResponse,
  InvalidInputError,
  type OptionList,
  offsetAfter,
  optionList,
  ProviderError,
  type StreamItem,
  sleep,
  wholeNumberFault,
} from "@duroxide-ts/core/browser";
import { END_LINE, LINES_TYPE } from "../wire/bodies.ts";
import type { AnyReading, ReadingOptions } from "./any-client.ts";
import { linesOf } from "./lines.ts";
import type { Transport } from "./transport.ts";
import { pauseMs } from "./waits.ts";

/** The stream that is read. */
interface Source {
  readonly transport: Transport;
  readonly instanceId: string;
  readonly stream: string;
}

const OPTIONS: OptionList = optionList<ReadingOptions>({
  from: true,
  all: true,
  signal: true,
});

/** A reading of a stream over HTTP: iterate over it, or send it to a browser. */
export class HttpReading<T> implements AnyReading<T> {
  readonly #source: Source;
  readonly #options: ReadingOptions;

  constructor(source: Source, options: ReadingOptions) {
    checkOptions("stream", options, OPTIONS);
    const fault = wholeNumberFault("stream: from", options.from, 0);
    if (fault !== undefined) throw new InvalidInputError(fault);
    this.#source = source;
    this.#options = options;
  }

  /** The items, from the offset on. */
  [Symbol.asyncIterator](): AsyncGenerator<StreamItem<T>, void, undefined> {
    return read<T>(this.#source, this.#options);
  }

  /** Server-sent events; the reading ends with the response. */
  toResponse({ lastEventId }: EventsOptions = {}): Response {
    const { from = 0 } = this.#options;
    const options = { ...this.#options, from: offsetAfter(lastEventId) ?? from };
    return eventsResponse(options.signal, (signal) => read(this.#source, { ...options, signal }));
  }
}

async function* read<T>(
  { transport, instanceId, stream }: Source,
  { from = 0, all = false, signal }: ReadingOptions,
): AsyncGenerator<StreamItem<T>, void, undefined> {
  let at = from;
  for (let failures = 0; ; failures++) {
    if (failures > 0) await sleep(transport.clock, pauseMs(failures), signal);
    try {
      const query = { from: String(at), ...(all && { all: "true" }) };
      const lines = linesOf(transport, {
        operation: "handle.stream",
        method: "GET",
        path: ["instances", instanceId, "streams", stream],
        query,
        headers: { accept: LINES_TYPE },
        signal,
      });
      for await (const line of lines) {
        failures = 0;
        if (line === END_LINE) return;
        const item = JSON.parse(line) as StreamItem<T>;
        if (item.offset !== undefined) at = item.offset + 1;
        yield item;
      }
    } catch (error) {
      if (signal?.aborted === true) throw new CancelledError(signal.reason);
      if (!ProviderError.is(error) || !error.retryable) throw error;
    }
  }
}
