import type { IncomingHttpHeaders } from "node:http";

/** The head of an HTTP request, as it came. */
export interface RequestHead {
  /** Upper case. */
  readonly method: string;
  /**
   * Path as it came, still percent-encoded: `?` may belong to an item's id (docs/reference/cosmos-protocol.md §1.4).
   */
  readonly rawPath: string;
  readonly headers: IncomingHttpHeaders;
}

/** An HTTP request whose body has arrived, free of sockets, so that a handler is a function from data to data. */
export interface GatewayRequest extends RequestHead {
  readonly body: Buffer;
  /** Scheme, host and port by which the caller came, in lower case; the endpoint answers to them (called-host.ts). */
  readonly origin: string;
  /** Whether the connection comes from this machine. */
  readonly fromLoopback: boolean;
}

export function bodyText(request: GatewayRequest): string {
  return request.body.toString("utf8");
}
