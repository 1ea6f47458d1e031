/** What a fault does to a request, and the check of an effect that came from outside. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonValue } from "../../protocol/json.ts";
import { count, invalidFault, optionalCount, optionalText, rejectUnknown } from "./fault-input.ts";
import { throttled } from "./throttle.ts";

/** What a fault does to the requests that its rule hits. */
export type FaultEffect =
  /** Refused with this status before anything happens. 429 has sub-status 3200 and advice to retry unless told otherwise. */
  | {
      readonly kind: "error";
      readonly status: number;
      readonly substatus?: number;
      readonly retryAfterMs?: number;
      readonly message?: string;
    }
  /** The connection is reset before anything happens. */
  | { readonly kind: "reset" }
  /** The operation is executed, and the connection is reset instead of an answer. */
  | { readonly kind: "loseResponse" }
  /** The operation is executed later, by up to `jitterMs` more at random. Delays of several rules add up. */
  | { readonly kind: "delay"; readonly delayMs: number; readonly jitterMs?: number }
  /** A query or feed answers so many items at most, 0 to 3 at random unless told, with a continuation for the rest. */
  | { readonly kind: "shortPage"; readonly items?: number }
  /** A read sees its partition this many writes behind, unless a session token asks for more. */
  | { readonly kind: "staleRead"; readonly writesBehind: number };

const DEFAULT_RETRY_AFTER_MS = 300;

export function parseEffect(input: JsonValue | undefined): FaultEffect {
  const kinds = "error, reset, loseResponse, delay, shortPage, staleRead";
  const known = [
    "kind",
    "status",
    "substatus",
    "retryAfterMs",
    "message",
    "delayMs",
    "jitterMs",
    "items",
    "writesBehind",
  ];
  const effect = rejectUnknown(input, `"effect"`, known);
  const { kind } = effect;
  if (kind === "reset" || kind === "loseResponse") return { kind };
  if (kind === "delay") {
    const jitterMs = optionalCount(effect, "jitterMs", 0);
    return { kind, delayMs: count(effect, "delayMs", 0), ...(jitterMs === undefined ? {} : { jitterMs }) };
  }
  if (kind === "shortPage") {
    const items = optionalCount(effect, "items", 0);
    return { kind, ...(items === undefined ? {} : { items }) };
  }
  if (kind === "staleRead") return { kind, writesBehind: count(effect, "writesBehind", 1) };
  if (kind !== "error") throw invalidFault(`The "kind" of an effect is one of ${kinds}.`);
  const status = count(effect, "status", 400);
  if (status > 599) throw invalidFault('"status" is a status of HTTP from 400 to 599.');
  const substatus = optionalCount(effect, "substatus", 0);
  const retryAfterMs = optionalCount(effect, "retryAfterMs", 0);
  const message = optionalText(effect, "message");
  return {
    kind,
    status,
    ...(substatus === undefined ? {} : { substatus }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(message === undefined ? {} : { message }),
  };
}

/** The `code` of the body for each status that the service utters. */
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
