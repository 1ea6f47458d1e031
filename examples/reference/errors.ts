/** Fields of errors that tell more beside their message. */
import {
  AlreadyExistsError,
  CompensationError,
  InvalidInputError,
  LimitExceededError,
  NonRetryableError,
  NotDeliveredError,
  PayloadError,
  QuestionError,
  RefusedError,
} from "@duroxide-ts/core";

/** Returns what happened, for the caller of a service. */
export function explain(error: unknown): string {
  if (InvalidInputError.is(error))
    return (error.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  if (AlreadyExistsError.is(error)) return `${error.instanceId} exists and is ${error.status}`;
  if (NotDeliveredError.is(error)) return `${error.instanceId} takes no messages: ${error.code}`;
  if (RefusedError.is(error)) return `${error.instanceId} is not in a state for that`;
  if (QuestionError.is(error))
    return `${error.instanceId} did not answer ${error.question} (message ${error.messageId}): ${error.code}`;
  if (PayloadError.is(error)) return `${error.codec} cannot store ${error.path}`;
  if (CompensationError.is(error)) return `${error.failures.length} undos failed`;
  return String(error);
}

/** Whether the same call may succeed later. */
export function mayTryAgain(error: unknown): boolean {
  return error instanceof NonRetryableError || error instanceof LimitExceededError ? error.retryable : true;
}
