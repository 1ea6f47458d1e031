/** Checks a retry policy at the call, because a wrong policy would otherwise throw only after the first failure. */
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { functionFault } from "../options/option-kinds.ts";
import { checkOptions, type OptionList, optionList, shown } from "../options/option-list.ts";
import { type Duration, durationMs } from "./duration.ts";
import { type Backoff, maxAttempts, type RetryPolicy } from "./retry.ts";

const RETRY: OptionList = optionList<RetryPolicy>({
  maxAttempts: true,
  backoff: true,
  timeout: true,
  nonRetryable: true,
  when: true,
  onRetry: true,
  timeoutEndsRetries: true,
});

type BackoffOf<Kind extends Backoff["kind"]> = Extract<Backoff, { readonly kind: Kind }>;

const BACKOFFS: { readonly [Kind in Backoff["kind"]]: OptionList } = {
  none: optionList<BackoffOf<"none">>({ kind: true }),
  fixed: optionList<BackoffOf<"fixed">>({ kind: true, delay: true }),
  linear: optionList<BackoffOf<"linear">>({ kind: true, base: true, max: true }),
  exponential: optionList<BackoffOf<"exponential">>({ kind: true, base: true, multiplier: true, max: true }),
};

/** InvalidInputError for an invalid policy. */
export function checkRetryPolicy(policy: RetryPolicy): void {
  checkOptions("retry", policy, RETRY);
  maxAttempts(policy);
  checkDelay("retry.timeout", policy.timeout);
  if (policy.backoff !== undefined) checkBackoff(policy.backoff);
  const fault = functionFault("retry.when", policy.when) ?? functionFault("retry.onRetry", policy.onRetry);
  if (fault !== undefined) throw new InvalidInputError(fault);
  if (policy.nonRetryable !== undefined) checkFinalErrors(policy.nonRetryable);
}

function checkFinalErrors(errors: unknown): void {
  const areNames =
    Array.isArray(errors) && errors.every((each) => typeof each === "string" || typeof each === "function");
  if (areNames) return;
  throw new InvalidInputError("retry.nonRetryable must be an array of names or classes of errors");
}

function checkBackoff(backoff: Backoff): void {
  const kind: unknown = backoff?.kind;
  if (typeof kind !== "string" || !Object.hasOwn(BACKOFFS, kind)) {
    throw new InvalidInputError(
      `retry.backoff: kind must be "${Object.keys(BACKOFFS).join('", "')}"; got ${shown(kind)}`,
    );
  }
  checkOptions(`retry.backoff of kind "${kind}"`, backoff, BACKOFFS[backoff.kind]);
  if (backoff.kind === "fixed") checkNeeded("retry.backoff.delay", backoff.delay);
  if (backoff.kind === "linear") {
    checkNeeded("retry.backoff.base", backoff.base);
    checkNeeded("retry.backoff.max", backoff.max);
  }
  if (backoff.kind === "exponential") checkExponential(backoff);
}

function checkExponential({ base, multiplier = 2, max }: BackoffOf<"exponential">): void {
  checkDelay("retry.backoff.base", base);
  checkDelay("retry.backoff.max", max);
  if (Number.isFinite(multiplier) && multiplier > 0) return;
  throw new InvalidInputError(
    `retry.backoff.multiplier must be a number greater than 0; got ${shown(multiplier)}`,
  );
}

function checkNeeded(name: string, delay: Duration | undefined): void {
  if (delay === undefined) {
    throw new InvalidInputError(`${name} is missing; give a duration, such as 500 or { seconds: 5 }`);
  }
  checkDelay(name, delay);
}

function checkDelay(name: string, delay: Duration | undefined): void {
  if (delay !== undefined) durationMs(delay, name);
}
