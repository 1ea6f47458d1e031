/**
 * Time limits and retries as a composition of activities and timers (docs/reference/runtime-semantics.md §2.2,
 * docs/decisions/0024). An attempt is an activity and, if it has a limit, a timer after it; a pause is a timer.
 */
import { durationMs } from "../../define/duration.ts";
import type { ActivityOptions, OrchestrationContext } from "../../define/orchestration-context.ts";
import { type AttemptError, backoffDelayMs, maxAttempts, type RetryPolicy } from "../../define/retry.ts";
import type { Task } from "../../define/task.ts";
import { ActivityFailedError, DuroxideError, TimeoutError } from "../../errors/duroxide-error.ts";
import { runMarked } from "../../guard/orchestration-frame.ts";
import { Attempt } from "../calls/attempt.ts";
import { DurableTask } from "../calls/durable-task.ts";
import { isFinal } from "./final-errors.ts";
import type { StartBranch } from "./member.ts";

/** The plan of a call with retries or limits. */
export interface AttemptPlan {
  readonly activityName: string;
  readonly policy: RetryPolicy;
  readonly attempts: number;
  readonly timeoutMs: number | undefined;
  readonly totalMs: number | undefined;
}

/** Schedules the activity of one attempt in a branch. */
type StartAttempt<C> = (branch: C, attempt: Attempt) => Task<unknown>;

/** `undefined` if the call is a single activity without limits. Throws InvalidInputError for invalid limits. */
export function planAttempts(
  activityName: string,
  { retry, timeout, totalTimeout }: ActivityOptions,
): AttemptPlan | undefined {
  if (retry === undefined && timeout === undefined && totalTimeout === undefined) return undefined;
  const policy = retry ?? ONCE;
  const limit = timeout ?? policy.timeout;
  return {
    activityName,
    policy,
    attempts: maxAttempts(policy),
    timeoutMs: limit === undefined ? undefined : durationMs(limit),
    totalMs: totalTimeout === undefined ? undefined : durationMs(totalTimeout),
  };
}

const ONCE: RetryPolicy = { maxAttempts: 1 };

export function runAttempts<C extends OrchestrationContext>(
  plan: AttemptPlan,
  startBranch: StartBranch<C>,
  start: StartAttempt<C>,
): DurableTask<unknown> {
  const { scope, result, stop } = startBranch((branch) =>
    tryUntilFinal(branch, plan, (attempt) => start(branch, attempt)),
  );
  const task = new DurableTask<unknown>(stop);
  scope.result = task;
  result.then(
    (value) => task.fulfil(value),
    (error: unknown) => task.reject(error),
  );
  return task;
}

async function tryUntilFinal(
  branch: OrchestrationContext,
  plan: AttemptPlan,
  start: (attempt: Attempt) => Task<unknown>,
): Promise<unknown> {
  const deadlineMs = plan.totalMs === undefined ? undefined : branch.now() + plan.totalMs;
  const { policy, attempts } = plan;
  let first: Attempt | undefined;
  for (let number = 1; ; number++) {
    const attempt = new Attempt(number, first, policy !== ONCE && policy.timeoutEndsRetries !== true);
    first ??= attempt;
    try {
      return await tryOnce(branch, plan, { attempt, start, deadlineMs });
    } catch (error) {
      if (!isAttemptError(error) || number >= attempts) throw error;
      const final = (): boolean => isFinal(error, attempt, policy);
      // Without a predicate no function of the user is called, so no marked frame is needed.
      if (policy.when === undefined ? final() : await runMarked(final)) throw error;
      await pause(branch, plan, { number, error, deadlineMs });
    }
  }
}

function isAttemptError(error: unknown): error is AttemptError {
  return (
    ActivityFailedError.is(error, "activity-failed") ||
    (DuroxideError.is(error, "timeout") && !(error instanceof TotalTimeoutError))
  );
}

interface Trial {
  readonly attempt: Attempt;
  readonly start: (attempt: Attempt) => Task<unknown>;
  readonly deadlineMs: number | undefined;
}

async function tryOnce(branch: OrchestrationContext, plan: AttemptPlan, trial: Trial): Promise<unknown> {
  const { attempt, start, deadlineMs } = trial;
  const leftMs = deadlineMs === undefined ? Number.POSITIVE_INFINITY : deadlineMs - branch.now();
  // A timer may fire late, for example after the process was down.
  if (leftMs <= 0 && attempt.number > 1) throw totalTimeout(plan, attempt.number);
  const activity = start(attempt);
  const limitMs = Math.min(plan.timeoutMs ?? Number.POSITIVE_INFINITY, Math.max(0, leftMs));
  if (limitMs === Number.POSITIVE_INFINITY) return activity;
  const winner: { readonly index: number; readonly value: unknown } = await branch.race([
    activity,
    branch.scheduleTimer(limitMs),
  ]);
  if (winner.index === 0) return winner.value;
  throw limitMs === plan.timeoutMs ? timeout(plan, attempt) : totalTimeout(plan, attempt.number);
}

interface Failed {
  readonly number: number;
  readonly error: AttemptError;
  readonly deadlineMs: number | undefined;
}

/** Logs the retry, and waits; throws if no time would be left after the pause. */
async function pause(
  branch: OrchestrationContext,
  plan: AttemptPlan,
  { number, error, deadlineMs }: Failed,
): Promise<void> {
  const { policy, attempts, activityName } = plan;
  const delayMs = backoffDelayMs(policy.backoff, number);
  if (deadlineMs !== undefined && branch.now() + delayMs >= deadlineMs) {
    throw totalTimeout(plan, number, error);
  }
  branch.log.warn("activity failed, trying again", {
    event: "activity_retried",
    activity_name: activityName,
    attempt: number,
    attempts,
    delay_ms: delayMs,
    error,
  });
  const { onRetry } = policy;
  if (onRetry !== undefined) await runMarked(() => onRetry({ attempt: number, attempts, delayMs, error }));
  if (delayMs > 0) await branch.scheduleTimer(delayMs);
}

/** Under the rule of Rust, the text of Rust, because a history may contain it. */
function timeout({ activityName, timeoutMs, policy }: AttemptPlan, attempt: Attempt): TimeoutError {
  if (policy !== ONCE && !attempt.followsOurRules) return new TimeoutError("timeout: activity timed out");
  return new TimeoutError(`timeout: activity "${activityName}" did not end within ${timeoutMs} ms`);
}

/** No retry follows this error. */
class TotalTimeoutError extends TimeoutError {}

function totalTimeout({ activityName, totalMs }: AttemptPlan, number: number, last?: Error): TimeoutError {
  const what = `activity "${activityName}" did not end within ${totalMs} ms in all (attempt ${number})`;
  if (last === undefined) return new TotalTimeoutError(`timeout: ${what}`);
  return new TotalTimeoutError(`timeout: ${what}: ${last.message}`, { cause: last });
}
