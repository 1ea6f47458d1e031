/**
 * A reading of a stream over HTTP.
 *
 * - http-reading.HR1: The reading goes on where it was when the connection ends before the stream has: after a failure of
 *   the network, and when the server stops.
 * - http-reading.HR2: It rejects with `gone` where the instance is deleted meanwhile, also while the connection is away, and
 *   also where another one was started under its id: its offsets mean other values.
 */
import {
  type AnyReading,
  CancelledError,
  checkStreamOptions,
  type EventsOptions,
  eventsResponse,
  offsetAfter,
  ProviderError,
  StreamError,
  type StreamItem,
  type StreamReadOptions,
  sleep,
} from "@duroxide-ts/core/browser";
import { END_LINE, type ErrorBody, LINES_TYPE, type LifeLine } from "../wire/bodies.ts";
import type { InstanceLink } from "./instance-link.ts";
import { linesOf } from "./lines.ts";
import { restoredError } from "./restored-error.ts";
import { pauseMs } from "./waits.ts";

/** A reading of a stream over HTTP: iterate over it, or send it to a browser. */
export class HttpReading<T> implements AnyReading<T> {
  readonly #link: InstanceLink;
  readonly #stream: string;
  readonly #options: StreamReadOptions;

  constructor(link: InstanceLink, stream: string, options: StreamReadOptions) {
    checkStreamOptions(options);
    this.#link = link;
    this.#stream = stream;
    this.#options = options;
  }

  /** The items, from the offset on. */
  [Symbol.asyncIterator](): AsyncGenerator<StreamItem<T>, void, undefined> {
    return read<T>(this.#link, this.#stream, this.#options);
  }

  /** Server-sent events; the reading ends with the response. */
  toResponse({ lastEventId }: EventsOptions = {}): Response {
    const { from = 0 } = this.#options;
    const options = { ...this.#options, from: offsetAfter(lastEventId) ?? from };
    return eventsResponse(options.signal, (signal) => read(this.#link, this.#stream, { ...options, signal }));
  }
}

async function* read<T>(
  link: InstanceLink,
  stream: string,
  { from = 0, all = false, wait = true, signal }: StreamReadOptions,
): AsyncGenerator<StreamItem<T>, void, undefined> {
  const { transport, instanceId } = link;
  let at = from;
  let isKnown = false;
  let life: string | undefined;
  for (let failures = 0; ; failures++) {
    if (failures > 0) await sleep(transport.clock, pauseMs(failures), signal);
    try {
      const query = { from: String(at), ...(all && { all: "true" }), ...(!wait && { follow: "false" }) };
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
        isKnown = true;
        const item = JSON.parse(line) as StreamItem<T> | ErrorBody | LifeLine;
        if ("error" in item) throw restoredError("handle.stream", 500, item);
        if ("life" in item) {
          if (life !== undefined && life !== item.life) throw new StreamError("gone", { instanceId, stream });
          life = item.life;
          continue;
        }
        if (item.offset === undefined) {
          if (item.skipped !== undefined) at += item.skipped;
          yield item;
          continue;
        }
        at = item.offset + 1;
        yield { ...item, value: link.payload(item.value) as T };
      }
    } catch (error) {
      if (signal?.aborted === true) throw new CancelledError(signal.reason);
      // It was deleted while the connection was away.
      if (isKnown && StreamError.is(error, "not-found"))
        throw new StreamError("gone", { instanceId, stream });
      if (!ProviderError.is(error) || !error.retryable) throw error;
    }
  }
}
