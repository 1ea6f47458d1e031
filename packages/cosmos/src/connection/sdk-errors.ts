/**
 * Errors that replace responses and failures that the SDK would retry. The SDK retries by a `code`, so these have none;
 * it passes them on unchanged, and `service/failure.ts` reads them like the SDK's errors.
 */

/** Headers as the SDK passes them on, names in lower case. */
export type Headers = Readonly<Record<string, unknown>>;

/** An error response of the service, with the fields of the SDK's error. */
export class ServiceRefusal extends Error {
  override readonly name = "ServiceRefusal";
  readonly statusCode: number;
  readonly substatus: number;
  /** The service's retry-after time; undefined without one. */
  readonly retryAfterInMs: number | undefined;
  /** The SDK adds its own to them. */
  headers: Headers;

  constructor(statusCode: number, headers: Headers, message: string) {
    super(message);
    this.statusCode = statusCode;
    this.substatus = numberIn(headers, "x-ms-substatus") ?? 0;
    this.retryAfterInMs = numberIn(headers, "x-ms-retry-after-ms");
    this.headers = headers;
  }
}

/** No response: a write may have been executed. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  /** "timeout", or Node's code, such as ECONNRESET. */
  readonly cut: string;
  /** Host and port to which the request was sent. */
  readonly host: string;

  constructor(
    cut: string,
    message: string,
    { url, cause }: { readonly url: string; readonly cause?: unknown },
  ) {
    super(message, { cause });
    this.cut = cut;
    this.host = new URL(url).host;
  }
}

/** The server's time in whole seconds, ms since the epoch; undefined without a response. */
export function serverTimeIn(headers: unknown): number | undefined {
  if (typeof headers !== "object" || headers === null || !("date" in headers)) return undefined;
  const atMs = Date.parse(String(headers.date));
  return Number.isNaN(atMs) ? undefined : atMs;
}

function numberIn(headers: Headers, name: string): number | undefined {
  const value = Number.parseFloat(String(headers[name]));
  return Number.isFinite(value) ? value : undefined;
}
