/**
 * An HTTP proxy on loopback in front of an endpoint of Cosmos DB. It answers or loses requests by rules, and counts all
 * of them. Providers connect to `endpoint` or `connectionString` instead of the target's.
 *
 * 1. A signature does not cover the host, so requests pass unchanged but for their host, which is the target's: the
 *    target may refuse other hosts.
 * 2. The account document names the addresses that the client goes on with. The proxy puts its own there, or the client
 *    would leave it after the first request.
 * 3. A request is forwarded once, or not at all. The proxy repeats nothing.
 */
import { once } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import { RequestCounts } from "./counts.ts";
import {
  ActiveRule,
  type FaultEffect,
  type FaultRule,
  type ProxiedAnswer,
  type ProxiedRequest,
} from "./fault-rule.ts";

export type { ActiveRule, FaultEffect, FaultRule, ProxiedAnswer, ProxiedRequest } from "./fault-rule.ts";

interface Forwarded {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export class FaultProxy implements AsyncDisposable {
  /** Counts of every request that arrived, whatever became of it. */
  readonly counts = new RequestCounts();
  readonly #target: URL;
  readonly #agent: http.Agent;
  readonly #server: http.Server;
  #rules: readonly ActiveRule[] = [];

  private constructor(target: URL) {
    this.#target = target;
    this.#agent = target.protocol === "https:" ? new https.Agent(KEEP_ALIVE) : new http.Agent(KEEP_ALIVE);
    this.#server = http.createServer(SERVER_OPTIONS, (incoming, outgoing) => {
      void this.#serve(incoming, outgoing);
    });
  }

  /** `target`: the address of the endpoint, such as `emulator.endpoint`. Resolves when the proxy listens on a free port. */
  static async start(target: string | URL): Promise<FaultProxy> {
    const proxy = new FaultProxy(new URL(target));
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  /** URL of the proxy, with a slash at its end. */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Returns the connection string of a provider, with the key of the target. */
  connectionString(key: string): string {
    return `AccountEndpoint=${this.endpoint};AccountKey=${key};`;
  }

  /** Rules are asked in the order in which they were added. The first that hits a request decides. */
  add(rule: FaultRule): ActiveRule {
    const active = new ActiveRule(rule, (it) => {
      this.#rules = this.#rules.filter((each) => each !== it);
    });
    this.#rules = [...this.#rules, active];
    return active;
  }

  /** Every request gets this status, until the rule is disposed. */
  answerAll(status: number, headers: Readonly<Record<string, string>> = {}): ActiveRule {
    return this.add({ effect: { kind: "answer", status, headers } });
  }

  /** Removes all rules. */
  clear(): void {
    this.#rules = [];
  }

  /** Cuts all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
    await closed;
  }

  async #serve(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    try {
      const body = await readAll(incoming);
      const { method = "GET", url: path = "/", headers } = incoming;
      const effect = this.#effectOn({ method, path, headers, body: body.toString() });
      const answer = await this.#carryOut(effect, () => this.#forward({ method, path, headers, body }));
      if (answer === undefined) incoming.socket.resetAndDestroy();
      else send(outgoing, answer);
    } catch {
      // The client has gone, or the target is out of reach: what a network shows is a reset.
      incoming.socket.resetAndDestroy();
    }
  }

  #effectOn(request: ProxiedRequest): FaultEffect | undefined {
    this.counts.arrive();
    return this.#rules.find((each) => each.takes(request))?.effect;
  }

  /** Resolves to the answer; to nothing where the connection is reset instead. */
  async #carryOut(
    effect: FaultEffect | undefined,
    forward: () => Promise<Forwarded>,
  ): Promise<Forwarded | undefined> {
    switch (effect?.kind) {
      case undefined:
        return forward();
      case "answer":
        return madeUp(effect);
      case "rewrite":
        return rewritten(await forward(), effect.change);
      case "reset":
        return undefined;
      case "lose-answer":
        await forward();
        return undefined;
    }
  }

  async #forward({ method, path, headers, body }: Outgoing): Promise<Forwarded> {
    const { request } = this.#target.protocol === "https:" ? https : http;
    const sent = request(new URL(path, this.#target), {
      method,
      agent: this.#agent,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: { ...withoutHops(headers), host: this.#target.host, "content-length": body.length },
    });
    sent.end(body);
    const [answer] = (await once(sent, "response")) as [http.IncomingMessage];
    const content = await readAll(answer);
    return {
      status: answer.statusCode ?? 0,
      headers: withoutHops(answer.headers),
      body: isAccount(method, path) ? withOwnAddress(content, this.endpoint) : content,
    };
  }
}

interface Outgoing {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

const KEEP_ALIVE = { keepAlive: true } as const;

/** Session tokens and continuations are longer than Node's limit. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Longer than pools of clients keep an idle connection, so that a reset is always a rule's. */
const SERVER_OPTIONS = { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 120_000 } as const;

/** They concern one connection, and each side of the proxy has its own. */
const HOP_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "host",
  "expect",
]);

function withoutHops(headers: http.IncomingHttpHeaders): http.IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name)));
}

async function readAll(stream: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function send(outgoing: http.ServerResponse, { status, headers, body }: Forwarded): void {
  outgoing.writeHead(status, { ...headers, "content-length": body.length });
  outgoing.end(body);
}

function madeUp({ status, headers, body }: Extract<FaultEffect, { kind: "answer" }>): Forwarded {
  const text = body ?? JSON.stringify({ code: String(status), message: "The fault proxy gave this answer." });
  return { status, headers: { "content-type": "application/json", ...headers }, body: Buffer.from(text) };
}

function rewritten(
  { status, headers, body }: Forwarded,
  change: (answer: ProxiedAnswer) => ProxiedAnswer,
): Forwarded {
  const changed = change({ status, headers, body: body.toString() });
  const kept = Object.entries(changed.headers).filter(([, value]) => value !== undefined);
  return {
    status: changed.status,
    headers: Object.fromEntries(kept) as http.IncomingHttpHeaders,
    body: Buffer.from(changed.body),
  };
}

function isAccount(method: string, path: string): boolean {
  return method === "GET" && path.split("?")[0] === "/";
}

/** An error document has no addresses and stays as it is. */
function withOwnAddress(body: Buffer, endpoint: string): Buffer {
  return Buffer.from(
    body
      .toString()
      .replaceAll(
        /("databaseAccountEndpoint"\s*:\s*)"[^"]*"/g,
        (_, name: string) => `${name}${JSON.stringify(endpoint)}`,
      ),
  );
}
