/** A reading of a stream as server-sent events, in a Response of the Web. */
import type { StreamEntry, StreamGap, StreamReset } from "../../define/stream.ts";
import { InvalidInputError } from "../../errors/duroxide-error.ts";
import { shown } from "../../options/option-list.ts";

/** The place where a browser goes on. */
export interface EventsOptions {
  /** The `id` of the last event that it has got: the header `Last-Event-ID`. Absent, null or empty: none. */
  readonly lastEventId?: string | number | null | undefined;
}

type Item = StreamEntry<unknown> | StreamReset | StreamGap;

/** The offset with which a reading goes on; `undefined` without an event. */
export function offsetAfter(lastEventId: EventsOptions["lastEventId"]): number | undefined {
  if (lastEventId === undefined || lastEventId === null || lastEventId === "") return undefined;
  const offset = /^(0|[1-9]\d*)$/.test(String(lastEventId)) ? Number(lastEventId) : Number.NaN;
  if (Number.isSafeInteger(offset)) return offset + 1;
  throw new InvalidInputError(
    `toResponse: lastEventId must be the offset of a value, such as "17"; got ${shown(lastEventId)}`,
  );
}

/** `read` begins a reading that ends when its signal aborts. */
export function eventsResponse(
  outer: AbortSignal | undefined,
  read: (signal: AbortSignal) => AsyncGenerator<Item, void, undefined>,
): Response {
  const gone = new AbortController();
  const reading = read(outer === undefined ? gone.signal : AbortSignal.any([outer, gone.signal]));
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reading.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(eventOf(value)));
    },
    async cancel() {
      gone.abort();
      await reading.return();
    },
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" },
  });
}

function eventOf(item: Item): string {
  if (item.reset !== undefined) return `event: reset\ndata: ${JSON.stringify(item.reset)}\n\n`;
  if (item.skipped !== undefined) return `event: skipped\ndata: ${item.skipped}\n\n`;
  return `id: ${item.offset}\ndata: ${JSON.stringify(item.value) ?? "null"}\n\n`;
}
