/**
 * Classifies failures of requests: docs/reference/cosmos-protocol.md §2. The client library throws its own errors for
 * responses and passes on those of the network.
 */
import { isError, messageOf, ProviderError } from "@duroxide-ts/core/stores";

export interface Failure {
  /** Undefined without a response. */
  readonly status: number | undefined;
  readonly substatus: number | undefined;
  /** Request units; a refusal is not always free. */
  readonly charge: number;
  /** The wait that the service advises. */
  readonly retryAfterMs: number | undefined;
  readonly message: string;
  readonly cause: unknown;
}

/** The client library wraps the failure of a batch in an error of its own. */
export function failureOf(error: unknown): Failure {
  const isWrapped = isError(error) && error.message.startsWith("Batch request error");
  return isWrapped && error.cause !== undefined ? toFailure(error.cause) : toFailure(error);
}

function toFailure(error: unknown): Failure {
  const fields = (typeof error === "object" && error !== null ? error : {}) as Readonly<
    Record<string, unknown>
  >;
  const status = toNumber(fields["code"]) ?? toNumber(fields["statusCode"]);
  return {
    status,
    substatus: toNumber(fields["substatus"]) ?? toNumber(fields["subStatus"]),
    charge: chargeIn(fields["headers"]),
    retryAfterMs: toNumber(fields["retryAfterInMs"]) ?? toNumber(fields["retryAfterInMilliseconds"]),
    message: messageOf(error),
    cause: error,
  };
}

function chargeIn(headers: unknown): number {
  const { "x-ms-request-charge": charge } = (
    typeof headers === "object" && headers !== null ? headers : {}
  ) as Readonly<Record<string, unknown>>;
  return Number(charge ?? 0) || 0;
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** 408 and 503 include lost responses, 410 a partition that moved, 449 a conflict of concurrent writes. */
const TRANSIENT: readonly number[] = [408, 410, 429, 449, 500, 502, 503, 504];

/** Substatus of 404: no replica that was asked has reached the session token. */
export const SESSION_NOT_AVAILABLE = 1002;

/** How often in a row a replica may lag behind before the session token counts as one that no replica will reach. */
export const MOST_LAGGING = 3;

/** 3: writes now go to another region; 1008: the account is being moved; 3200: metadata requests are throttled. */
const FORBIDDEN_FOR_NOW: readonly number[] = [3, 1008, 3200];

const THROTTLED = 429;

/** The partition has given its request units. */
export function isThrottled({ status }: Failure): boolean {
  return status === THROTTLED;
}

export function isLaggingReplica({ status, substatus }: Pick<Failure, "status" | "substatus">): boolean {
  return status === 404 && substatus === SESSION_NOT_AVAILABLE;
}

/** Whether a retry may succeed. */
export function isTransient({ status, substatus }: Failure): boolean {
  if (status === undefined || TRANSIENT.includes(status)) return true;
  if (isLaggingReplica({ status, substatus })) return true;
  return status === 403 && substatus !== undefined && FORBIDDEN_FOR_NOW.includes(substatus);
}

/** Whether a call that ended with this error may succeed later, as it is. */
export function isPassing(error: unknown): boolean {
  return ProviderError.is(error) && error.retryable;
}

/** Whether the service may have executed the request. */
export function mayHaveHappened({ status }: Failure): boolean {
  return status === undefined || status >= 500 || status === 408;
}

export function toProviderError(operation: string, failure: Failure): ProviderError {
  const { cause } = failure;
  if (ProviderError.is(cause)) return cause;
  if (isTransient(failure)) {
    return new ProviderError({
      code: "unavailable",
      operation,
      message: `${whatHappened(failure)}; the same call may succeed later`,
      cause,
    });
  }
  return new ProviderError({ code: "internal", operation, message: adviceFor(failure), cause });
}

/** The argument of the caller cannot be stored; a retry cannot succeed. */
export function documentTooLarge(operation: string, bytes: number, cause: unknown): ProviderError {
  return new ProviderError({
    code: "invalid-input",
    operation,
    message: `a document of ${bytes} bytes is larger than the service takes (2 MB); keep inputs, results, events and custom status smaller, or store them elsewhere and pass a reference`,
    cause,
  });
}

const REQUEST_TIMEOUT = 408;

function whatHappened(failure: Failure): string {
  const { status, message } = failure;
  if (status === undefined && /\bE[MN]FILE\b/.test(message)) {
    return `no connection could be opened, because this process or its machine has as many files open as the system allows (${message})`;
  }
  if (status === undefined || status === REQUEST_TIMEOUT) {
    return `the service did not respond in time (${describe(failure)})`;
  }
  return `the service answered ${describe(failure)}: ${firstLine(message)}`;
}

/** The most characters of the service's message, which may be a page of a proxy. */
const MOST_WORDS = 300;

function firstLine(text: string): string {
  const line = (/^.*$/m.exec(text.trim())?.[0] ?? "").replace(/[.\s]+$/, "");
  return line.length > MOST_WORDS ? `${line.slice(0, MOST_WORDS)}…` : line;
}

function describe({ status, substatus, message }: Failure): string {
  if (status === undefined) return message;
  return substatus === undefined || substatus === 0 ? `${status}` : `${status}/${substatus}`;
}

/** The service refuses headers of more than 16 KB as 431, or before its gateway as 400 with a page of HTML. */
function isHeaderTooLong({ status, message }: Failure): boolean {
  return status === 431 || (status === 400 && /request too long/i.test(message));
}

function adviceFor(failure: Failure): string {
  const { status, message } = failure;
  if (isHeaderTooLong(failure)) {
    return `the service refuses the headers of the request as too long (${describe(failure)}). Each request carries a session token for each physical partition of the container, so there may be about 300; merge its physical partitions`;
  }
  switch (status) {
    case 401:
      return `the service refuses the key or the token (401): ${firstLine(message)}`;
    case 403:
      return `the service forbids the request (${describe(failure)}): ${firstLine(message)}. Check roles, firewall and the size of the partition, which may be 20 GB`;
    case 404:
      return "the container is gone; create it again, and restart the process";
    case 413:
      return `the request or its answer is larger than the service takes (${describe(failure)}): ${firstLine(message)}`;
    default:
      return `the service refuses the request (${describe(failure)}): ${firstLine(message)}`;
  }
}
