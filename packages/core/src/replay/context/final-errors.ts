/**
 * Decides which failures of an attempt are not retried (docs/decisions/activities.md). It is asked once for each
 * failure, and history has the answer (code/decisions.ts), because names of classes change from build to build.
 */
import { types } from "node:util";
import type { OrchestrationContext } from "../../define/orchestration-context.ts";
import type { AttemptError, ErrorClass, RetryPolicy } from "../../define/retry.ts";
import { DuroxideError, InvalidInputError } from "../../errors/duroxide-error.ts";
import { attempt as read } from "../../errors/thrown-value.ts";
import type { ThrownDetails } from "../../wire/error-details.ts";
import type { Attempt } from "../calls/attempt.ts";

/** Calls functions of the user. */
export function isFinal(error: AttemptError, attempt: Attempt, policy: RetryPolicy): boolean {
  // Each attempt would end as many processes again.
  if ("details" in error && "Poison" in error.details) return true;
  const isTimeout = DuroxideError.is(error, "timeout");
  if (isTimeout && !attempt.followsOurRules) return true;
  if (attempt.followsOurRules && "retryable" in error && !error.retryable) return true;
  if (policy.nonRetryable?.some((named) => isNamed(error, named)) === true) return true;
  return policy.when !== undefined && !mayTryAgain(policy.when(error, attempt.number));
}

/** The longest name of a class that is taken for one that a minifier gave. */
const LONGEST_MINIFIED = 2;

/** Warns, after the first attempt, that `nonRetryable` may have missed the error because its class has lost its name. */
export function warnOfMinified(
  branch: OrchestrationContext,
  { nonRetryable = [] }: RetryPolicy,
  error: AttemptError,
  number: number,
): void {
  const { name, class: className } = thrownIn(error) ?? {};
  if (number > 1 || nonRetryable.length === 0 || className === undefined) return;
  if (className.length > LONGEST_MINIFIED) return;
  branch.log.warn(
    { event: "error_class_minified", error_name: name, error_class: className },
    `the class of the error is called "${className}", as in minified code, so retry.nonRetryable cannot know it by its name; set the name of the error in its class and list that, or keep the names of classes when bundling (esbuild: keepNames)`,
  );
}

/** The store keeps names, not classes. A class may have its name on its prototype, where a minifier leaves it. */
function isNamed(error: AttemptError, named: string | ErrorClass): boolean {
  const thrown = "details" in error ? thrownIn(error) : error;
  if (thrown === undefined) return false;
  const names: readonly unknown[] = typeof named === "string" ? [named] : [named.name, ownName(named)];
  return names.includes(thrown.name) || ("class" in thrown && names.includes(thrown.class));
}

/** Not that of a base class, such as "Error". */
function ownName({ prototype }: ErrorClass): unknown {
  return read(() => (Object.hasOwn(prototype, "name") ? prototype.name : undefined));
}

export function thrownIn(error: AttemptError): ThrownDetails | undefined {
  if (!("details" in error)) return undefined;
  const { details } = error;
  return "Application" in details ? details.Application.thrown : undefined;
}

function mayTryAgain(answer: unknown): boolean {
  if (typeof answer === "boolean") return answer;
  throw new InvalidInputError(
    `retry.when must return true or false; got ${describe(answer)}. It runs in the orchestration, and must not be async`,
  );
}

function describe(answer: unknown): string {
  if (types.isPromise(answer)) return "a promise";
  return answer === undefined ? "nothing" : `a ${typeof answer}`;
}
