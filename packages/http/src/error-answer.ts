/** Answers to calls that fail. */
import { DuroxideError, ProviderError } from "@duroxide-ts/core";
import { withoutQuotation } from "@duroxide-ts/core/stores";
import { errorStatus, GONE, json, Refused, refusal } from "@duroxide-ts/core/web";
import type { Settings } from "./http-options.ts";
import { errorBody } from "./wire/bodies.ts";

/** Tells the caller what is for the caller; the rest is logged. */
export function errorAnswer(given: unknown, request: Request, settings: Settings): Response {
  const { logger, visible, client } = settings;
  const error = visible === client ? given : withoutQuotation(given);
  if (error instanceof Refused) return refusal(error.status, error.code, error.message);
  if (request.signal.aborted) return new Response(null, { status: GONE });
  const isKnown = DuroxideError.is(error) || ProviderError.is(error);
  const status = isKnown ? errorStatus(error.code) : undefined;
  if (isKnown && status !== undefined) return json(errorBody(error), status);
  logger.error({ event: "http_failed", error: given }, "a request failed");
  if (ProviderError.is(error)) return storeFailed(error);
  return refusal(500, "internal", "the request failed; the log of the server has the reason");
}

/** The message of the store may name its machine or its file. */
function storeFailed({ code, retryable, messageId }: ProviderError): Response {
  const message = retryable
    ? "the store does not answer; repeat the request"
    : "the store failed; the log of the server has the reason";
  const error = { code, message, name: "ProviderError", operation: "http", detail: message, retryable };
  const response = json({ error: { ...error, ...(messageId !== undefined && { messageId }) } }, 503);
  if (retryable) response.headers.set("retry-after", "1");
  return response;
}
