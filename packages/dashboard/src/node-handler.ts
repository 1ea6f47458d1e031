/** The handler for `node:http`, Express and everything else that passes on Node's requests. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { type Logger, systemClock } from "@duroxide-ts/core";
import { toLogger } from "@duroxide-ts/core/stores";
import type { DashboardHandler } from "./dashboard.ts";
import { refusal } from "./http/answers.ts";
import { secured } from "./http/security-headers.ts";

type NodeRequest = IncomingMessage | Http2ServerRequest;
type NodeResponse = ServerResponse | Http2ServerResponse;

/** A listener of `node:http` and of `node:http2`. */
export type NodeHandler = (request: NodeRequest, response: NodeResponse) => void;

/**
 * Passes requests of Node to the handler. In Express the mounted path is put back in front, so `basePath` is the whole
 * path. No middleware may read the body before. `logger` gets the errors of requests that cannot be passed on; they go to
 * stderr by default.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { dashboard, toNodeHandler } from "@duroxide-ts/dashboard";
 *
 * const handler = dashboard({ client, authorize: () => ({ user: "ada", role: "viewer" }) });
 * createServer(toNodeHandler(handler)).listen(7654, "127.0.0.1");
 * ```
 */
export function toNodeHandler(handler: DashboardHandler, logger?: Logger): NodeHandler {
  const log = toLogger(logger, systemClock);
  return (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    answer(handler, incoming, gone.signal)
      .catch((error: unknown) => {
        log.error({ event: "dashboard_failed", error }, "the dashboard failed to pass a request on");
        return secured(refusal(500, "internal", "the request could not be read; the log has the reason"));
      })
      .then((response) => send(response, { incoming, outgoing, signal: gone.signal }))
      .catch(() => outgoing.destroy());
  };
}

async function answer(
  handler: DashboardHandler,
  incoming: NodeRequest,
  signal: AbortSignal,
): Promise<Response> {
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
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>) : undefined;
  const headers = headersOf(incoming);
  return new Request(url, { method, headers, signal, ...(body !== undefined && { body, duplex: "half" }) });
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
