/** Requests to the endpoint with their signatures: as headers, or as the bytes that go over the wire. */
import { createHmac } from "node:crypto";

export interface Account {
  readonly endpoint: string;
  readonly key: string;
}

/** Parts of a request that the signature covers. */
export interface Signed {
  readonly method: string;
  readonly resourceType: string;
  /** The resource itself, or the parent of a feed. */
  readonly signedLink: string;
}

export interface RequestParts extends Signed {
  /** The address of the resource or feed, without a leading slash. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The signature holds for 15 minutes from now. */
export function signedHeaders(
  key: string,
  { method, resourceType, signedLink }: Signed,
): Record<string, string> {
  const date = new Date().toUTCString();
  const text = `${method.toLowerCase()}\n${resourceType}\n${signedLink}\n${date.toLowerCase()}\n\n`;
  const signature = createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64");
  return {
    authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`),
    "x-ms-date": date,
    "x-ms-version": "2020-07-15",
    "content-type": "application/json",
  };
}

/** Returns the bytes of a request, so that a client has nothing to do but send them. */
export function requestBytes({ endpoint, key }: Account, parts: RequestParts): Buffer {
  const { method, path, headers = {}, body = "" } = parts;
  const lines = Object.entries({
    host: new URL(endpoint).host,
    ...signedHeaders(key, parts),
    "content-length": String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${method} /${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}
