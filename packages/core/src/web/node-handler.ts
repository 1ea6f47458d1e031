/**
 * The handler for `node:http`, Express and everything else that passes on Node's requests.
 *
 * - node-handler.NH1: A request that is answered before its body has come is read to its end all the same, up to a limit:
 *   the next request of the connection comes behind it. Beyond the limit the connection ends.
 * - node-handler.NH2: A client that goes aborts the signal of its request, and ends the body of its answer.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { systemClock } from "../contract/clock.ts";
import { onAbort } from "../contract/on-abort.ts";
import type { Logger } from "../define/logger.ts";
import { toLogger } from "../define/observers.ts";
import { bodyWasRead } from "./read-body.ts";
import { Refused, refusal } from "./refusal.ts";

type NodeRequest = IncomingMessage | Http2ServerRequest;
type NodeResponse = ServerResponse | Http2ServerResponse;

/** Answers a request. */
export type WebHandler = (request: Request) => Promise<Response>;

/** A listener of `node:http` and of `node:http2`. */
export type NodeHandler = (request: NodeRequest, response: NodeResponse) => void;

/**
 * Passes requests of Node to the handler. In Express the mounted path is put back in front, so `basePath` is the whole
 * path. No middleware may read the body before, unless it leaves the bytes in `rawBody`, as Nest and Google's functions do, or in
 * `body`, as `express.raw()` does.
 * `logger` gets the errors of requests that cannot be passed on; they go to stderr by default.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { toNodeHandler } from "@duroxide-ts/core/web";
 *
 * const handler = async (request: Request) => new Response(`You asked for ${request.url}`);
 * createServer(toNodeHandler(handler)).listen(7654, "127.0.0.1");
 * ```
 */
export function toNodeHandler(handler: WebHandler, logger?: Logger): NodeHandler {
  const log = toLogger(logger, systemClock);
  return (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    answer(handler, incoming, gone.signal)
      .catch((error: unknown) => {
        log.error({ event: "request_failed", error }, "a request could not be passed on to its handler");
        return error instanceof Refused
          ? refusal(error.status, error.code, error.message)
          : refusal(500, "internal", "the request could not be read; the log has the reason");
      })
      .then((response) => send(response, { incoming, outgoing, signal: gone.signal }))
      .catch(() => outgoing.destroy());
  };
}

async function answer(handler: WebHandler, incoming: NodeRequest, signal: AbortSignal): Promise<Response> {
  const request = requestOf(incoming, signal);
  return request === undefined ? new Response(null, { status: 400 }) : handler(request);
}

interface Exchange {
  readonly incoming: NodeRequest;
  readonly outgoing: NodeResponse;
  readonly signal: AbortSignal;
}

async function send(response: Response, { incoming, outgoing, signal }: Exchange): Promise<void> {
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie") outgoing.setHeader(name, value);
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies);
  outgoing.statusCode = response.status;
  readOn(incoming);
  const parts = methodOf(incoming) === "HEAD" ? undefined : response.body?.getReader();
  if (parts !== undefined) await write(parts, outgoing, signal);
  outgoing.end();
}

/** Writes the parts as they come; the first may be long in coming, and its reader wants to know that it is open. */
async function write(
  parts: ReadableStreamDefaultReader<Uint8Array>,
  outgoing: NodeResponse,
  signal: AbortSignal,
): Promise<void> {
  if ("flushHeaders" in outgoing) outgoing.flushHeaders();
  const cancel = (): void => void parts.cancel().catch(() => {});
  if (signal.aborted) cancel();
  const forget = onAbort(signal, cancel);
  try {
    for (;;) {
      const { done, value } = await parts.read();
      if (done) return;
      const hasRoom = (outgoing as ServerResponse).write(value);
      // Middleware that compresses holds parts back until it is told.
      if ("flush" in outgoing && typeof outgoing.flush === "function") outgoing.flush();
      if (!hasRoom) await hasDrained(outgoing, signal);
    }
  } finally {
    forget();
  }
}

function hasDrained(outgoing: NodeResponse, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      forget();
      outgoing.off("drain", done);
      resolve();
    };
    const forget = onAbort(signal, done);
    outgoing.once("drain", done);
  });
}

/** Size of the rest of a body that nobody wants, bytes (node-handler.NH1). */
const MOST_UNWANTED_BYTES = 16_000_000;

function readOn(incoming: NodeRequest): void {
  if (incoming.readableEnded || incoming.destroyed) return;
  let left = MOST_UNWANTED_BYTES;
  incoming.on("data", (part: Uint8Array) => {
    left -= part.byteLength;
    if (left < 0) incoming.destroy();
  });
  incoming.on("error", () => {});
}

/** Methods that a `Request` cannot have. */
const NO_METHODS: readonly string[] = ["CONNECT", "TRACE", "TRACK"];

/** `undefined` for an address that is none, or has a user in front of its host, and for a method that none has. */
function requestOf(incoming: NodeRequest, signal: AbortSignal): Request | undefined {
  const path = "originalUrl" in incoming ? String(incoming.originalUrl) : (incoming.url ?? "/");
  const host = incoming.headers[":authority"] ?? incoming.headers.host ?? "localhost";
  const isTls = "encrypted" in incoming.socket;
  const address = `${isTls ? "https" : "http"}://${String(host)}`;
  // A path that begins with two slashes must not become a host.
  if (!path.startsWith("/") || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const method = methodOf(incoming);
  if (url.username !== "" || url.password !== "" || NO_METHODS.includes(method)) return undefined;
  const [pathname = "/", ...search] = path.split("?");
  url.pathname = pathname;
  url.search = search.join("?");
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? bodyOf(incoming) : undefined;
  const headers = headersOf(incoming);
  return new Request(url, { method, headers, signal, ...(body !== undefined && { body, duplex: "half" }) });
}

/** HTTP/2 leaves the letters to the client, and `Request` knows some methods in capitals only. */
function methodOf({ method = "GET" }: NodeRequest): string {
  return method.toUpperCase();
}

/** Refuses a request whose body was read before: it would look like one that has none. */
function bodyOf(incoming: NodeRequest): ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer> {
  const kept = ["rawBody", "body"].map((name): unknown => Reflect.get(incoming, name));
  const bytes = kept.find((value) => value instanceof Uint8Array);
  if (bytes !== undefined) return new Uint8Array(bytes);
  if (incoming.readableDidRead) {
    throw bodyWasRead();
  }
  return streamOf(incoming);
}

/** Reads a part when it is asked for one. The request outlives the stream (node-handler.NH1). */
function streamOf(incoming: NodeRequest): ReadableStream<Uint8Array<ArrayBuffer>> {
  const parts = incoming.iterator({ destroyOnReturn: false });
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await parts.next();
        if (done === true) controller.close();
        else controller.enqueue(new Uint8Array(value));
      },
      async cancel() {
        await parts.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** HTTP/2 sends the method, the path and the host as headers whose names begin with a colon. */
function headersOf(incoming: NodeRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name.startsWith(":")) continue;
    for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, one);
  }
  return headers;
}
