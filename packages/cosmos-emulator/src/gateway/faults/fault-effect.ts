/** The effects of faults on requests, and the check of an effect that came from outside. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonValue } from "../../protocol/json.ts";
import { checkErrorFields, type ErrorFields } from "./error-fields.ts";
import { count, invalidFault, optionalCount, rejectUnknown } from "./fault-input.ts";
import { checkOperationError, type OperationError } from "./operation-fault.ts";
import { throttled } from "./throttle.ts";

/** The effect of a fault on the requests that its rule hits. */
export type FaultEffect =
  /** Refused with this status before anything happens. 429 has by default sub-status 3200 and advice to retry. */
  | ({ readonly kind: "error" } & ErrorFields)
  /**
   * One operation of a batch is refused with this status and the others with 424; the answer is 207, and nothing of the
   * batch is stored. Only batches with such an operation are hit.
   */
  | OperationError
  /** The connection is reset before anything happens. */
  | { readonly kind: "reset" }
  /** The operation is executed, and the connection is reset instead of an answer. */
  | { readonly kind: "loseResponse" }
  /** The operation is executed later, by up to `jitterMs` more at random. Delays of several rules add up. */
  | { readonly kind: "delay"; readonly delayMs: number; readonly jitterMs?: number }
  /** A query or feed answers so many items at most, by default 0 to 3 at random, with a continuation for the rest. */
  | { readonly kind: "shortPage"; readonly items?: number }
  /** A read sees its partition this many writes behind, unless a session token asks for more. */
  | { readonly kind: "staleRead"; readonly writesBehind: number };

const DEFAULT_RETRY_AFTER_MS = 300;

/** Throws 400 for an effect that makes no sense. */
export function checkEffect(input: JsonValue | undefined): void {
  const effect = rejectUnknown(input, `"effect"`, ["kind", ...Object.values(MEMBERS).flat()]);
  const { kind } = effect;
  if (typeof kind !== "string" || !Object.hasOwn(MEMBERS, kind)) {
    throw invalidFault(`The "kind" of an effect is one of ${Object.keys(MEMBERS).join(", ")}.`);
  }
  if (kind === "error" || kind === "operationError") checkErrorFields(effect);
  if (kind === "operationError") checkOperationError(effect);
  if (kind === "delay") {
    count(effect, "delayMs", 0);
    optionalCount(effect, "jitterMs", 0);
  }
  if (kind === "shortPage") optionalCount(effect, "items", 0);
  if (kind === "staleRead") count(effect, "writesBehind", 1);
}

/** The members of each kind of effect. */
const MEMBERS: Readonly<Record<FaultEffect["kind"], readonly string[]>> = {
  error: ["status", "substatus", "retryAfterMs", "message"],
  operationError: ["status", "substatus", "retryAfterMs", "index", "operationType"],
  reset: [],
  loseResponse: [],
  delay: ["delayMs", "jitterMs"],
  shortPage: ["items"],
  staleRead: ["writesBehind"],
};

/** The `code` of the body for each status of the service. */
const CODES: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  408: "RequestTimeout",
  409: "Conflict",
  410: "Gone",
  412: "PreconditionFailed",
  413: "RequestEntityTooLarge",
  423: "Locked",
  449: "RetryWith",
  500: "InternalServerError",
  503: "ServiceUnavailable",
};

export function errorOf(effect: Extract<FaultEffect, { kind: "error" }>): CosmosError {
  const { status, substatus, retryAfterMs, message } = effect;
  if (status === 429) return throttled(retryAfterMs ?? DEFAULT_RETRY_AFTER_MS, substatus, message);
  return new CosmosError({
    status,
    code: CODES[status] ?? String(status),
    message: message ?? `This request was chosen by a fault rule to fail with ${status}.`,
    ...(substatus === undefined ? {} : { substatus }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
