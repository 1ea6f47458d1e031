/** The handler for `node:http`, Express and everything else that passes on Node's requests. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import type { DashboardHandler } from "./dashboard.ts";

/** A listener of `node:http`. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Passes requests of Node to the handler. In Express the mounted path is put back in front, so `basePath` is the whole
 * path. No middleware may read the body before.
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
export function toNodeHandler(handler: DashboardHandler): NodeHandler {
  return (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    answer(handler, incoming, outgoing, gone.signal).catch(() => outgoing.destroy());
  };
}

async function answer(
  handler: DashboardHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const request = requestOf(incoming, signal);
  if (request === undefined) {
    outgoing.writeHead(400).end();
    return;
  }
  const response = await handler(request);
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie") outgoing.setHeader(name, value);
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies);
  outgoing.writeHead(response.status);
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
function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const path = "originalUrl" in incoming ? String(incoming.originalUrl) : (incoming.url ?? "/");
  const host = incoming.headers.host ?? "localhost";
  const isTls = "encrypted" in incoming.socket;
  const address = `${isTls ? "https" : "http"}://${host}`;
  // A path that begins with two slashes must not become a host.
  if (!path.startsWith("/") || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const [pathname = "/", ...search] = path.split("?");
  url.pathname = pathname;
  url.search = search.join("?");
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, one);
  }
  const method = incoming.method ?? "GET";
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>) : undefined;
  return new Request(url, { method, headers, signal, ...(body !== undefined && { body, duplex: "half" }) });
}
