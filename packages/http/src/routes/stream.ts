/** `GET /instances/:id/streams/:name`: the values of a stream, while they come. */
import { NotDeliveredError, StreamError, systemClock } from "@duroxide-ts/core";
import { flagOf } from "../request/parameters.ts";
import { END_LINE, errorBody, LINES_TYPE } from "../wire/bodies.ts";
import { type Call, visibleHandle } from "./call.ts";
import { existing } from "./instance.ts";
import { type KeptOpen, keptOpen } from "./kept-open.ts";

export async function stream(call: Call): Promise<Response> {
  const { request, url, settings, segments } = call;
  const [instanceId = "", name = ""] = segments;
  await existing(call).catch((error: unknown) => {
    if (!NotDeliveredError.is(error, "not-found")) throw error;
    throw new StreamError("not-found", { instanceId, stream: name });
  });
  const { searchParams } = url;
  const from = Number(searchParams.get("from") ?? 0);
  const all = flagOf(url, "all", false);
  const over = new AbortController();
  const wait = flagOf(url, "follow", true);
  const options = { from, all, wait, signal: AbortSignal.any([request.signal, over.signal]) };
  const reading = visibleHandle(call).stream(name, options);
  const open: Omit<KeptOpen, "heartbeat"> = {
    clock: systemClock,
    stopping: settings.stopping,
    end: () => over.abort(),
  };
  if (request.headers.get("accept")?.includes(LINES_TYPE) === true) {
    return keptOpen(linesOf(reading), { ...open, heartbeat: "\n" });
  }
  // The id of the last event that an EventSource has got; others may write it into the address.
  const lastEventId = request.headers.get("last-event-id") ?? searchParams.get("lastEventId");
  const events = await keptOpen(reading.toResponse({ lastEventId }), {
    ...open,
    heartbeat: ":\n\n",
    // An EventSource that comes back to a stream that has ended would come back for ever.
    ...(lastEventId !== null && { whenEmpty: new Response(null, { status: 204 }) }),
  });
  // nginx would keep small events back.
  events.headers.set("x-accel-buffering", "no");
  return events;
}

interface Line {
  readonly text: string;
  readonly isLast: boolean;
}

/** The next item, or the end. The deletion of the instance is one that the client has to know from a broken connection. */
async function nextLine(items: AsyncIterator<unknown>): Promise<Line> {
  try {
    const { done, value } = await items.next();
    return done === true ? { text: END_LINE, isLast: true } : { text: JSON.stringify(value), isLast: false };
  } catch (error) {
    if (!StreamError.is(error)) throw error;
    return { text: JSON.stringify(errorBody(error)), isLast: true };
  }
}

/** Items with all their fields, for programs. */
function linesOf(reading: AsyncIterable<unknown>): Response {
  const items = reading[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let hasEnded = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (hasEnded) return controller.close();
      const line = await nextLine(items);
      hasEnded = line.isLast;
      controller.enqueue(encoder.encode(`${line.text}\n`));
    },
    async cancel() {
      await items.return?.();
    },
  });
  return new Response(body, { headers: { "content-type": LINES_TYPE, "cache-control": "no-store" } });
}
