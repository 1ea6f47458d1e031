/**
 * Requests of `HttpClient`.
 *
 * - transport.TR1: A request whose answer does not come fails as retryable, so that a wait goes on elsewhere: the address
 *   of a server that has died answers nothing, not even with a refusal.
 * - transport.TR2: What is no answer of the routes, such as the page of a proxy on which people sign in, is an error.
 * - transport.TR3: Headers and payloads go to the address of the client and to no other: a redirect is not followed.
 */
import {
  CancelledError,
  type Clock,
  InvalidInputError,
  onAbort,
  ProviderError,
} from "@duroxide-ts/core/browser";
import { restoredError } from "./restored-error.ts";

/** Sends a request, as the global `fetch` does. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Headers of each request, or a function that returns them, such as one that renews a token. */
export type RequestHeaders =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

export interface Transport {
  /** Address of the handler, without a slash at its end. */
  readonly base: string;
  readonly fetch: Fetch;
  readonly headers: RequestHeaders;
  readonly clock: Clock;
}

export interface Asked {
  /** Name of the call, for errors. */
  readonly operation: string;
  readonly method: "GET" | "POST";
  /** Segments of the path; those of ids and names are encoded here. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
  /** Time that the server may take beside that of the network, ms. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Reads the answer; JSON.parse by default. */
  readonly parse?: (text: string) => unknown;
}

export interface Answered {
  readonly status: number;
  readonly value: unknown;
}

/** Time for the network, and for a store that is slow, ms. */
const PATIENCE_MS = 30_000;

/** Resolves with an answer of 2xx; rejects with the error of the server, or with a retryable one if there is no answer. */
export async function send(transport: Transport, asked: Asked): Promise<Answered> {
  const { operation, signal, waitMs = 0 } = asked;
  const over = new AbortController();
  const cancel = transport.clock.schedule(waitMs + PATIENCE_MS, () => over.abort());
  const forget = onAbort(signal, () => over.abort());
  if (signal?.aborted === true) over.abort();
  try {
    const response = await exchange(transport, asked, over.signal);
    const value = await jsonOf(response, asked.parse);
    const isAnswer = response.ok && (value !== undefined || response.status === 204);
    if (isAnswer) return { status: response.status, value };
    throw restoredError(operation, response.status, value);
  } catch (error) {
    if (signal?.aborted === true) throw new CancelledError(signal.reason);
    if (error instanceof Unsent || over.signal.aborted) throw unavailable(operation, error);
    throw error;
  } finally {
    cancel();
    forget();
  }
}

/** The request had no answer. */
export class Unsent extends Error {}

/** Sends the request. Rejects with `Unsent`. */
export async function exchange(transport: Transport, asked: Asked, signal: AbortSignal): Promise<Response> {
  const { method, body } = asked;
  const given = typeof transport.headers === "function" ? await transport.headers() : transport.headers;
  const headers = {
    accept: "application/json",
    ...(body !== undefined && { "content-type": "application/json" }),
    ...given,
    ...asked.headers,
  };
  checkHeaders(headers);
  const init = { method, headers, signal, redirect: "manual", ...(body !== undefined && { body }) } as const;
  const response = await transport.fetch(addressOf(transport, asked), init).catch((cause: unknown) => {
    throw new Unsent("no answer", { cause });
  });
  // A browser does not tell the status of a redirect.
  const isRedirect = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
  if (isRedirect) throw redirected(asked.operation);
  return response;
}

/** Refuses what `fetch` would answer like a server that is away: a wait would go on for ever. */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  try {
    new Headers(headers);
  } catch {
    // The message of the platform quotes the value.
    throw new InvalidInputError(
      "a header of the client has a name or a value that HTTP cannot send, such as a token with a line break; check the option headers",
    );
  }
}

/** transport.TR3 */
function redirected(operation: string): ProviderError {
  return new ProviderError({
    code: "cannot-open",
    operation,
    message:
      "the server sends to another address, perhaps to a page to sign in; give the client the address of the handler itself",
  });
}

function addressOf({ base }: Transport, { path, query = {} }: Pick<Asked, "path" | "query">): string {
  const folder = path.find((segment) => segment === "." || segment === "..");
  if (folder !== undefined) {
    throw new InvalidInputError(`the id or name "${folder}" cannot stand in an address; use another one`);
  }
  const search = new URLSearchParams(query).toString();
  return `${base}/${path.map(encodeURIComponent).join("/")}${search === "" ? "" : `?${search}`}`;
}

/** `undefined` for what is no JSON. A body that ends in the middle is no answer. */
export async function jsonOf(
  response: Response,
  parse: (text: string) => unknown = JSON.parse,
): Promise<unknown> {
  const text = await response.text().catch((cause: unknown) => {
    throw new Unsent("the answer ended early", { cause });
  });
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** The error of a request that had no answer. */
export function unavailable(operation: string, cause: unknown): ProviderError {
  return new ProviderError({
    code: "unavailable",
    operation,
    message: "the server did not answer; repeat the call, or check the address of the client",
    cause: cause instanceof Unsent ? cause.cause : cause,
  });
}
