/** The handler for `node:http`, Express and everything else that passes on Node's requests. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { systemClock } from "../contract/clock.ts";
import type { Logger } from "../define/logger.ts";
import { toLogger } from "../define/observers.ts";
import { Refused, refusal } from "./refusal.ts";

type NodeRequest = IncomingMessage | Http2ServerRequest;
type NodeResponse = ServerResponse | Http2ServerResponse;

/** Answers a request. */
export type WebHandler = (request: Request) => Promise<Response>;

/** A listener of `node:http` and of `node:http2`. */
export type NodeHandler = (request: NodeRequest, response: NodeResponse) => void;

/**
 * Passes requests of Node to the handler. In Express the mounted path is put back in front, so `basePath` is the whole
 * path. No middleware may read the body before, unless it leaves the bytes in `rawBody`, as Nest and Google's functions do.
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

function send(response: Response, { incoming, outgoing, signal }: Exchange): void {
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie") outgoing.setHeader(name, value);
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies);
  outgoing.statusCode = response.status;
  if (response.body === null || incoming.method === "HEAD") {
    outgoing.end();
    return;
  }
  const body = Readable.fromWeb(response.body as NodeStream);
  // The first part of a stream may be long in coming, and its reader wants to know that it is open.
  if ("flushHeaders" in outgoing) outgoing.flushHeaders();
  signal.addEventListener("abort", () => body.destroy(), { once: true });
  body.on("error", () => outgoing.destroy());
  body.pipe(outgoing);
}

/** `undefined` for an address that is none. */
function requestOf(incoming: NodeRequest, signal: AbortSignal): Request | undefined {
  const path = "originalUrl" in incoming ? String(incoming.originalUrl) : (incoming.url ?? "/");
  const host = incoming.headers[":authority"] ?? incoming.headers.host ?? "localhost";
  const isTls = "encrypted" in incoming.socket;
  const address = `${isTls ? "https" : "http"}://${String(host)}`;
  // A path that begins with two slashes must not become a host.
  if (!path.startsWith("/") || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const [pathname = "/", ...search] = path.split("?");
  url.pathname = pathname;
  url.search = search.join("?");
  const method = incoming.method ?? "GET";
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? bodyOf(incoming) : undefined;
  const headers = headersOf(incoming);
  return new Request(url, { method, headers, signal, ...(body !== undefined && { body, duplex: "half" }) });
}

/** Refuses a request whose body was read before: it would look like one that has none. */
function bodyOf(incoming: NodeRequest): ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer> {
  const kept: unknown = "rawBody" in incoming ? incoming.rawBody : undefined;
  if (kept instanceof Uint8Array) return new Uint8Array(kept);
  if (incoming.readableDidRead) {
    throw new Refused(
      500,
      "body-was-read",
      "a middleware has read the body before; put this handler before it, or let it keep the bytes as request.rawBody",
    );
  }
  return Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>;
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
