/** `GET /instances/:id/streams/:name`: the values of a stream, while they come; and `…/progress`. */
import { NotDeliveredError, StreamError, systemClock } from "@duroxide-ts/core";
import { onAbort } from "@duroxide-ts/core/browser";
import { json } from "@duroxide-ts/core/web";
import { END_LINE, LINES_TYPE } from "../wire/bodies.ts";
import { type Call, visibleHandle } from "./call.ts";
import { existing } from "./instance.ts";
import { type KeptOpen, keptOpen } from "./kept-open.ts";

export async function progress(call: Call): Promise<Response> {
  return json(await visibleHandle(call).progress());
}

export async function stream(call: Call): Promise<Response> {
  const { request, url, settings, segments } = call;
  const [instanceId = "", name = ""] = segments;
  await existing(call).catch((error: unknown) => {
    if (!NotDeliveredError.is(error, "not-found")) throw error;
    throw new StreamError("not-found", { instanceId, stream: name });
  });
  const { searchParams } = url;
  const from = Number(searchParams.get("from") ?? 0);
  const all = searchParams.get("all") === "true";
  const over = new AbortController();
  const options = { from, all, signal: over.signal };
  const reading = visibleHandle(call).stream(name, options);
  const open: Omit<KeptOpen, "heartbeat"> = {
    clock: systemClock,
    stopping: settings.stopping,
    end: () => over.abort(),
  };
  onAbort(request.signal, () => over.abort());
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

/** Items with all their fields, for programs. */
function linesOf(reading: AsyncIterable<unknown>): Response {
  const items = reading[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let hasEnded = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (hasEnded) return controller.close();
      const { done, value } = await items.next();
      hasEnded = done === true;
      controller.enqueue(encoder.encode(`${hasEnded ? END_LINE : JSON.stringify(value)}\n`));
    },
    async cancel() {
      await items.return?.();
    },
  });
  return new Response(body, { headers: { "content-type": LINES_TYPE, "cache-control": "no-store" } });
}
