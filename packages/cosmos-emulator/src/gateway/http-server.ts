/**
 * Sockets on one side, `GatewayRequest` and `Answer` on the other. Limits of size are enforced here; nothing that
 * arrives can end the process.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Outcome } from "./answers/answer.ts";
import { refuseMalformed, writeOutcome } from "./answers/write-outcome.ts";
import {
  type Authority,
  accepts,
  calledHost,
  type HostRules,
  parseAuthority,
} from "./requests/called-host.ts";
import type { GatewayRequest, RequestHead } from "./requests/request.ts";

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly certificate?: { readonly certificate: string; readonly privateKey: string };
  /** Names by which it may be called, beside `host` and those that called-host.ts accepts anyway. */
  readonly allowedHosts: readonly Authority[];
  /** Serves a request. Must not reject. */
  serve(request: GatewayRequest): Promise<Outcome>;
  /** Answers a body beyond the limit. */
  refuseBody(request: RequestHead): Outcome;
  /** Answers a caller that names another host. */
  refuseHost(request: RequestHead): Outcome;
  wait(delayMs: number, signal: AbortSignal): Promise<void>;
}

/** Largest size of a body in bytes (docs/reference/cosmos-protocol.md §3.1). */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** Size in bytes of a body that is read and dropped; a larger request is cut off without a response. */
const MAX_DROPPED_BYTES = 256 * 1024 * 1024;

/**
 * Largest size of all headers of a request together in bytes, as on the service (docs/reference/cosmos-protocol.md
 * §3.1).
 */
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Time that an idle connection is kept, in ms: longer than the pools of clients keep an idle connection, so that they
 * never find it closed when they write.
 */
const KEEP_ALIVE_MS = 120_000;

/** Time that a stop waits for requests under way, in ms. */
const STOP_GRACE_MS = 2_000;

const NO_BODY: Buffer = Buffer.alloc(0);

export class HttpServer {
  readonly #server: Server;
  readonly #options: HttpServerOptions;
  /** Rules of the host, known once it listens, before any request comes. */
  #hostRules: HostRules | undefined;
  #isStopping = false;
  #serving = 0;
  #onAllServed: () => void = () => undefined;

  private constructor(options: HttpServerOptions) {
    this.#options = options;
    const settings = {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // A request without a Host gets the same answer as one with a wrong Host.
      requireHostHeader: false,
    };
    const tls = options.certificate;
    this.#server =
      tls === undefined
        ? createServer(settings)
        : createSecureServer({ ...settings, cert: tls.certificate, key: tls.privateKey });
    this.#server.on("request", (incoming, outgoing) => this.#receive(incoming, outgoing));
    this.#server.on("clientError", refuseMalformed);
  }

  /** Listens. Rejects with a sentence that says what to do when the port is taken. */
  static async listen(options: HttpServerOptions): Promise<HttpServer> {
    const it = new HttpServer(options);
    await new Promise<void>((resolve, reject) => {
      it.#server.once("error", (cause: NodeJS.ErrnoException) => reject(cannotListen(options, cause)));
      it.#server.listen(options.port, options.host, resolve);
    });
    it.#hostRules = hostRulesOf(options, it.#server.address() as AddressInfo);
    return it;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Answers what is under way, then closes; idempotent. */
  async stop(): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const enough = new AbortController();
    await Promise.race([this.#allServed(), this.#options.wait(STOP_GRACE_MS, enough.signal)]);
    enough.abort();
    this.#server.closeAllConnections();
    await closed;
  }

  #allServed(): Promise<void> {
    if (this.#serving === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onAllServed = resolve;
    });
  }

  #receive(incoming: IncomingMessage, outgoing: ServerResponse): void {
    outgoing.on("error", ignoreBrokenConnection);
    incoming.on("error", ignoreBrokenConnection);
    const hasBody =
      incoming.headers["content-length"] !== undefined || incoming.headers["transfer-encoding"] !== undefined;
    if (hasBody) {
      this.#receiveBody(incoming, outgoing);
      return;
    }
    incoming.resume();
    this.#answer(incoming, outgoing, NO_BODY);
  }

  /**
   * Receives a body. One that is too large is read and dropped: a client that is still sending would not see the
   * answer otherwise.
   */
  #receiveBody(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else if (size > MAX_DROPPED_BYTES) incoming.destroy();
    });
    incoming.on("end", () => {
      this.#answer(incoming, outgoing, size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined);
    });
  }

  /** Answers a request, whose `body` is undefined where it was too large. */
  #answer(incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer | undefined): void {
    this.#serving += 1;
    outgoing.once("close", () => {
      this.#serving -= 1;
      if (this.#serving === 0) this.#onAllServed();
    });
    const answering = this.#outcomeOf(incoming, body).then((outcome) => {
      if (this.#isStopping) outgoing.setHeader("connection", "close");
      writeOutcome(outgoing, outcome);
    });
    // An answer that cannot be written must not end the process; the caller sees a broken connection.
    answering.catch(() => outgoing.destroy());
  }

  async #outcomeOf(incoming: IncomingMessage, body: Buffer | undefined): Promise<Outcome> {
    const head: RequestHead = {
      method: incoming.method ?? "",
      rawPath: incoming.url ?? "/",
      headers: incoming.headers,
    };
    const origin = this.#originOf(incoming, head.rawPath);
    if (origin === undefined) return this.#options.refuseHost(head);
    if (body === undefined) return this.#options.refuseBody(head);
    const fromLoopback = isLoopbackAddress(incoming.socket.remoteAddress);
    return this.#options.serve({ ...head, body, origin, fromLoopback });
  }

  /** Finds the origin; undefined where the endpoint does not answer to the host that the request names. */
  #originOf({ rawHeaders }: IncomingMessage, target: string): string | undefined {
    const isSecure = this.#options.certificate !== undefined;
    const host = calledHost(hostHeaders(rawHeaders), target);
    const authority = host === undefined ? undefined : parseAuthority(host);
    if (host === undefined || authority === undefined || this.#hostRules === undefined) return undefined;
    if (!accepts(authority, this.#hostRules)) return undefined;
    return `${isSecure ? "https" : "http"}://${host.toLowerCase()}`;
  }
}

function hostRulesOf(options: HttpServerOptions, { address, port }: AddressInfo): HostRules {
  const { host, certificate, allowedHosts } = options;
  // Where the user named the address to listen on, that name leads to the endpoint.
  const own = { name: urlHost(host).toLowerCase(), port };
  return {
    onLoopback: isLoopbackAddress(address),
    port,
    defaultPort: certificate === undefined ? 80 : 443,
    allowed: [own, ...allowedHosts],
  };
}

/** Lists all hosts of a request: `headers` keeps the first one only. */
function hostHeaders(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === "host");
}

/** Writes a host as it stands in a URL. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && /^(::ffff:)?127\.|^::1$/.test(address);
}

/** Does nothing: the caller closed the connection, so there is no response. */
function ignoreBrokenConnection(): void {}

function cannotListen({ host, port }: HttpServerOptions, cause: NodeJS.ErrnoException): Error {
  const advice: Readonly<Record<string, string>> = {
    EADDRINUSE: "something listens there already; stop it, or take another port (0 takes a free one)",
    EACCES: "ports below 1024 need rights; take another one",
    EADDRNOTAVAIL:
      "this machine has no such address; leave the host out for loopback, or use 0.0.0.0 for all",
    ENOTFOUND: "this host is unknown; leave it out for loopback",
  };
  const reason = advice[cause.code ?? ""] ?? cause.message;
  return new Error(`Cannot listen on ${urlHost(host)}:${port}: ${reason}.`, { cause });
}
