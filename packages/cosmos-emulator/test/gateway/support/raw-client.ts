/** A small client that speaks the REST protocol itself: what it sends is what the test says, signature included. */
import { createHmac } from "node:crypto";
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";

export interface RawRequest {
  readonly method: string;
  /** Path as it goes over the wire. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests read any member of answers
  readonly json: any;
}

/** The address: a link, and the type of its feed where the feed is meant. */
export interface Target {
  readonly link: string;
  readonly feed?: string;
  /** Type of the resource in the signature, where the link does not show it. */
  readonly type?: string;
}

export class RawClient implements Disposable {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #endpoint: URL;
  readonly #key: string;
  readonly #now: () => number;

  /** `now` dates the signatures. */
  constructor(endpoint: { readonly endpoint: string; readonly key: string }, now: () => number = Date.now) {
    this.#endpoint = new URL(endpoint.endpoint);
    this.#key = endpoint.key;
    this.#now = now;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  /** Signs as the protocol says (docs/reference/cosmos-protocol.md §1.3) and sends. */
  signed(method: string, target: Target, more: Partial<RawRequest> = {}): Promise<RawResponse> {
    const date = String(more.headers?.["x-ms-date"] ?? new Date(this.#now()).toUTCString());
    const type = target.type ?? target.feed ?? target.link.split("/").at(-2) ?? "";
    const path = `/${encodeURI(target.link)}${target.feed === undefined ? "" : `${target.link === "" ? "" : "/"}${target.feed}`}`;
    const headers = {
      "x-ms-date": date,
      "x-ms-version": "2020-07-15",
      authorization: authorization(this.#key, method, type, target.link, date),
      ...more.headers,
    };
    return this.send({ path, ...more, method, headers });
  }

  /** A header that is undefined is not sent. */
  send({ method, path, headers: given = {}, body }: RawRequest): Promise<RawResponse> {
    const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#endpoint;
      const sent = request({ hostname, port, method, path, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on("error", reject);
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          const isJson = /json/.test(response.headers["content-type"] ?? "") && text !== "";
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: isJson ? JSON.parse(text) : undefined,
          });
        });
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }
}

export function authorization(key: string, method: string, type: string, link: string, date: string): string {
  const payload = `${method.toLowerCase()}\n${type}\n${link}\n${date.toLowerCase()}\n\n`;
  const signature = createHmac("sha256", Buffer.from(key, "base64")).update(payload).digest("base64");
  return encodeURIComponent(`type=master&ver=1.0&sig=${signature}`);
}
