/** Answers to failed calls of the store or of the client. */
import { DuroxideError, ProviderError } from "@duroxide-ts/core";
import { withoutQuotation } from "@duroxide-ts/core/stores";
import { errorStatus, Refused, refusal } from "@duroxide-ts/core/web";

/** The store is down, or its data is damaged: the page shows the message of the store. */
const STORE_FAILED = 503;

/** `undefined` for an unexpected error, whose message is not for users. With `redacts` no error quotes what is stored. */
export function errorAnswer(given: unknown, redacts: boolean): Response | undefined {
  const error = redacts ? withoutQuotation(given) : given;
  if (error instanceof Refused) return refusal(error.status, error.code, error.message);
  if (ProviderError.is(error)) {
    return refusal(errorStatus(error.code) ?? STORE_FAILED, error.code, error.message);
  }
  if (DuroxideError.is(error)) return refusal(errorStatus(error.code) ?? 400, error.code, error.message);
  return undefined;
}
