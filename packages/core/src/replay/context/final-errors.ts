/** Which failures of an attempt are not tried again (docs/decisions/0024). */
import type { AttemptError, ErrorClass, RetryPolicy } from "../../define/retry.ts";
import { DuroxideError, InvalidInputError } from "../../errors/duroxide-error.ts";
import type { Attempt } from "../calls/attempt.ts";

/** Runs code of the user. */
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

/** Of an activity's error those of what it threw: classes do not survive the store, their names do. */
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
