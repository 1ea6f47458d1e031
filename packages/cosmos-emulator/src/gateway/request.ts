import type { IncomingHttpHeaders } from "node:http";

/** An HTTP request whose body has arrived, free of sockets, so that a handler is a function from data to data. */
export interface GatewayRequest {
  /** Upper case. */
  readonly method: string;
  /** As it came, still percent-encoded: `?` may belong to an item's id (docs/reference/cosmos-protocol.md §1.4). */
  readonly rawPath: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Scheme, host and port on which the endpoint listens. */
  readonly ownOrigin: string;
  /** Whether the connection comes from this machine. */
  readonly fromLoopback: boolean;
}

/** Scheme, host and port as the caller wrote them; the endpoint's own where that makes no sense. */
export function originAsCalled({ headers: { host }, ownOrigin }: GatewayRequest): string {
  const origin = `${ownOrigin.slice(0, ownOrigin.indexOf("//"))}//${host}`;
  return host !== undefined && /^[\w.:[\]-]+$/.test(host) && URL.canParse(origin) ? origin : ownOrigin;
}

export function bodyText(request: GatewayRequest): string {
  return request.body.toString("utf8");
}
