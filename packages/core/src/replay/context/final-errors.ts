/** Decides which failures of an attempt are not retried (docs/decisions/0024). */
import type { AttemptError, ErrorClass, RetryPolicy } from "../../define/retry.ts";
import { DuroxideError, InvalidInputError } from "../../errors/duroxide-error.ts";
import type { Attempt } from "../calls/attempt.ts";

/** Calls functions of the user. */
export function isFinal(error: AttemptError, attempt: Attempt, policy: RetryPolicy): boolean {
  const isTimeout = DuroxideError.is(error, "timeout");
  if (isTimeout && !attempt.followsOurRules) return true;
  if (attempt.followsOurRules && "retryable" in error && !error.retryable) return true;
  if (policy.nonRetryable?.some((named) => isNamed(error, named)) === true) return true;
  return policy.when !== undefined && !mayTryAgain(policy.when(error, attempt.number));
}

function isNamed(error: AttemptError, named: string | ErrorClass): boolean {
  const name = typeof named === "string" ? named : named.name;
  return namesOf(error).includes(name);
}

/** For an activity's error, the names of the thrown error and its class, because the store keeps names, not classes. */
function namesOf(error: AttemptError): readonly (string | undefined)[] {
  if (!("details" in error)) return [error.name];
  const { details } = error;
  const thrown = "Application" in details ? details.Application.thrown : undefined;
  return [thrown?.name, thrown?.class];
}

function mayTryAgain(answer: unknown): boolean {
  if (typeof answer === "boolean") return answer;
  throw new InvalidInputError(
    `retry.when must return true or false; got ${describe(answer)}. It runs in the orchestration, and must not be async`,
  );
}

function describe(answer: unknown): string {
  if (answer instanceof Promise) return "a promise";
  return answer === undefined ? "nothing" : `a ${typeof answer}`;
}
