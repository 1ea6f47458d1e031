/** `GET /instances/:id/streams/:name`: the values of a stream, while they come. */
import {
  CancelledError,
  NotDeliveredError,
  ProviderError,
  StreamError,
  systemClock,
} from "@duroxide-ts/core";
import { errorAnswer } from "../error-answer.ts";
import { flagOf, wholeNumberOf } from "../request/parameters.ts";
import { END_LINE, LINES_TYPE, type LifeLine } from "../wire/bodies.ts";
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
  const from = wholeNumberOf(url, "from", 0) ?? 0;
  const all = flagOf(url, "all", false);
  const over = new AbortController();
  const wait = flagOf(url, "follow", true);
  const options = { from, all, wait, signal: AbortSignal.any([request.signal, over.signal]) };
  const reading = visibleHandle(call).stream(name, options);
  const open: Omit<KeptOpen, "heartbeat"> = {
    clock: systemClock,
    stopping: settings.stopping,
    end: () => over.abort(),
    failed: (error) => {
      if (!isOver(error))
        settings.logger.error({ event: "http_failed", error }, "a stream could not be read");
    },
  };
  if (request.headers.get("accept")?.includes(LINES_TYPE) === true) {
    return keptOpen(linesOf(call, reading), { ...open, heartbeat: "\n" });
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

/** Whether a reading has ended because its client, or this process, goes: the client comes back. */
function isOver(error: unknown): boolean {
  return CancelledError.is(error) || ProviderError.is(error, "closed");
}

interface Line {
  readonly text: string;
  readonly isLast: boolean;
}

/** The next item, or the end. A failure is one that the client has to know from a broken connection. */
async function nextLine({ request, settings }: Call, items: AsyncIterator<unknown>): Promise<Line> {
  try {
    const { done, value } = await items.next();
    return done === true ? { text: END_LINE, isLast: true } : { text: JSON.stringify(value), isLast: false };
  } catch (error) {
    if (isOver(error)) throw error;
    return { text: await errorAnswer(error, request, settings).text(), isLast: true };
  }
}

/** Items with all their fields, for programs. */
function linesOf(call: Call, reading: AsyncIterable<unknown>): Response {
  const items: AsyncIterator<unknown> & Partial<LifeLine> = reading[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let life: string | undefined;
  let hasEnded = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (hasEnded) return controller.close();
      const line = await nextLine(call, items);
      hasEnded = line.isLast;
      const begun = items.life === life ? "" : `${JSON.stringify({ life: items.life })}\n`;
      life = items.life;
      controller.enqueue(encoder.encode(`${begun}${line.text}\n`));
    },
    async cancel() {
      await items.return?.();
    },
  });
  return new Response(body, { headers: { "content-type": LINES_TYPE, "cache-control": "no-store" } });
}
