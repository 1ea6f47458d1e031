/**
 * Sends single requests and shows what came back, unlike the SDK, which retries, parses and hides. The only thing that it
 * does by itself is to wait when the service says 429, so that a run on a small account ends.
 */
import http from "node:http";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { Reply } from "./reply.ts";
import { Session } from "./session.ts";
import { sign, signedParts } from "./sign.ts";

/** Gives a Microsoft Entra token that is in force. */
export type TokenSource = () => Promise<string>;

/** A request and its answer as they went over the wire. */
export interface Exchange {
  readonly request: RawRequest;
  /** Headers as sent, without `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as sent. */
  readonly body: string | undefined;
  readonly reply: Reply;
  readonly tookMs: number;
}

export interface RawClientOptions {
  /** Refuses certificates that cannot be verified. False by default, because local endpoints bring their own. */
  readonly verifyCertificates?: boolean;
  /** Sends the tokens of earlier answers with requests about items, so that they see what was written. */
  readonly keepsSession?: boolean;
  /** Called with every request that was answered. */
  readonly onExchange?: (exchange: Exchange) => void;
}

export interface RawRequest {
  readonly method: string;
  /** The resource, not URL-encoded: "dbs/a/colls/b/docs/c d". */
  readonly link: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string goes as it is, everything else as JSON. */
  readonly body?: unknown;
  /** Path after the port, where it is not the link with its segments encoded. */
  readonly path?: string;
  /** Value instead of the right signature; "" sends none. */
  readonly authorization?: string;
  /** Date for the signature and `x-ms-date`; now, where it is absent. */
  readonly date?: Date;
  /** Show a 429 instead of waiting. */
  readonly showThrottling?: boolean;
}

const API_VERSION = "2020-07-15";
const MAX_WAITS = 60;

export class RawClient {
  readonly endpoint: URL;
  readonly #access: string | TokenSource;
  readonly #agent: http.Agent;
  readonly #onExchange: ((exchange: Exchange) => void) | undefined;
  readonly #session: Session | undefined;

  /** `access`: the account's key, base64, or a source of tokens. */
  constructor(
    endpoint: URL,
    access: string | TokenSource,
    { verifyCertificates = false, keepsSession = false, onExchange }: RawClientOptions = {},
  ) {
    this.endpoint = endpoint;
    this.#access = access;
    this.#onExchange = onExchange;
    this.#session = keepsSession ? new Session() : undefined;
    this.#agent =
      endpoint.protocol === "https:"
        ? new https.Agent({ keepAlive: true, rejectUnauthorized: verifyCertificates })
        : new http.Agent({ keepAlive: true });
  }

  get agent(): http.Agent {
    return this.#agent;
  }

  async send(request: RawRequest): Promise<Reply> {
    for (let waits = 0; ; waits++) {
      const reply = await this.#sendOnce(request);
      if (reply.status !== 429 || request.showThrottling === true || waits === MAX_WAITS) return reply;
      await sleep(Number(reply.header("x-ms-retry-after-ms") ?? 100));
    }
  }

  async #sendOnce(request: RawRequest): Promise<Reply> {
    const body = bodyOf(request.body);
    const headers = await this.#headersOf(request, body);
    const startedMs = performance.now();
    const reply = await this.#exchange(request, headers, body);
    if (isAboutItems(request)) this.#session?.take(reply);
    if (this.#onExchange !== undefined) {
      const { authorization: _, ...shown } = headers;
      const tookMs = performance.now() - startedMs;
      this.#onExchange({ request, headers: shown, body: body?.toString("utf8"), reply, tookMs });
    }
    return reply;
  }

  #exchange(request: RawRequest, headers: Record<string, string>, body: Buffer | undefined): Promise<Reply> {
    const path = request.path ?? `/${request.link.split("/").map(encodeURIComponent).join("/")}`;
    const label = `${request.method} ${path}`;
    return new Promise((resolve, reject) => {
      const { request: open } = this.endpoint.protocol === "https:" ? https : http;
      const { hostname, port } = this.endpoint;
      const sent = open(
        { hostname, port, path, method: request.method, headers, agent: this.#agent },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on("data", (chunk: Buffer) => chunks.push(chunk));
          answer.on("error", reject);
          answer.on("end", () =>
            resolve(
              new Reply(
                label,
                answer.statusCode ?? 0,
                answer.headers,
                Buffer.concat(chunks).toString("utf8"),
              ),
            ),
          );
        },
      );
      sent.on("error", (error) => reject(new Error(`${label}: ${error.message}`, { cause: error })));
      sent.end(body);
    });
  }

  async #headersOf(request: RawRequest, body: Buffer | undefined): Promise<Record<string, string>> {
    const date = (request.date ?? new Date()).toUTCString();
    const authorization = request.authorization ?? (await this.#authorize(request, date));
    return {
      accept: "application/json",
      "x-ms-version": API_VERSION,
      "x-ms-date": date,
      ...(authorization !== "" && { authorization }),
      ...(body !== undefined && { "content-length": String(body.length) }),
      ...(body !== undefined && request.method !== "PATCH" && { "content-type": "application/json" }),
      ...(isAboutItems(request) && this.#session?.headers),
      ...request.headers,
    };
  }

  async #authorize({ method, link }: RawRequest, date: string): Promise<string> {
    if (typeof this.#access === "string") {
      return sign(this.#access, { verb: method, date, ...signedParts(link) });
    }
    return `type=aad&ver=1.0&sig=${await this.#access()}`;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/**
 * Tells whether a request is about items. Every container has tokens of its own, and this client keeps those of one.
 */
function isAboutItems({ link }: RawRequest): boolean {
  return /^dbs\/[^/]+\/colls\/[^/]+\/(docs|sprocs)/.test(link);
}

function bodyOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}
