/** Answers in the service's form for what was thrown (docs/reference/cosmos-protocol.md §1.12). */
import { REFUSED_CHARGE } from "../../engine/index.ts";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { replicaHeaders } from "../headers/container-headers.ts";
import { HEADER } from "../headers/headers.ts";
import { type Answer, jsonAnswer } from "./answer.ts";

/** Returns the charge of a refused request. */
export function chargeOf(error: CosmosError): number {
  return error.charge ?? REFUSED_CHARGE;
}

export function errorAnswer(error: CosmosError, activityId: string): Answer {
  const headers = error.position === undefined ? {} : replicaHeaders(error.position);
  if (error.substatus !== undefined) headers[HEADER.substatus] = String(error.substatus);
  if (error.retryAfterMs !== undefined) headers[HEADER.retryAfterMs] = String(error.retryAfterMs);
  const body: JsonObject = {
    code: error.code,
    message: `${messageOf(error)}\r\nActivityId: ${activityId}`,
    ...(error.additionalErrorInfo === undefined ? {} : { additionalErrorInfo: error.additionalErrorInfo }),
  };
  const answer = jsonAnswer(error.status, body, chargeOf(error), headers);
  return error.substatus === undefined ? answer : { ...answer, substatus: error.substatus };
}

/**
 * Answers for a failure of the endpoint itself. What was thrown is for its log: a client learns only where to look.
 */
export function failureAnswer(cause: unknown, activityId: string): Answer {
  const message =
    "The endpoint failed on this request. Its request log holds what was thrown; please report it.";
  const error = new CosmosError({ status: 500, code: "InternalServerError", message, charge: 0, cause });
  return errorAnswer(error, activityId);
}

/**
 * Words a message. Refusals of the engine stand in a list of errors, as on the service; those that the gateway utters
 * itself are plain, and errors of SQL are JSON already.
 */
function messageOf({ status, message, additionalErrorInfo }: CosmosError): string {
  if (message.startsWith("{")) return `Message: ${message}`;
  const isPlain = [401, 403, 405, 500, 501, 503].includes(status) || additionalErrorInfo !== undefined;
  return isPlain ? message : `Message: ${JSON.stringify({ Errors: [message] })}`;
}
