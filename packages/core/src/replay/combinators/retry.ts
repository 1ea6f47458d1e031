/** Retries as a composition of activities and timers (docs/reference/runtime-semantics.md §2.2). */
import { durationMs } from "../../define/duration.ts";
import { backoffDelayMs, maxAttempts, type RetryPolicy } from "../../define/retry.ts";
import type { Task } from "../../define/task.ts";
import { ActivityFailedError, TimeoutError } from "../../errors/duroxide-error.ts";
import type { Context } from "../context.ts";
import { DurableTask } from "../durable-task.ts";

type Attempt = (branch: Context) => Task<unknown>;

export function runWithRetries(ctx: Context, policy: RetryPolicy, attempt: Attempt): DurableTask<unknown> {
  const attempts = maxAttempts(policy);
  const { scope, result, stop } = ctx.branch((branch) => retry(branch, policy, attempts, attempt));
  const task = new DurableTask<unknown>(stop);
  scope.result = task;
  result.then(
    (value) => task.fulfil(value),
    (error: unknown) => task.reject(error),
  );
  return task;
}

async function retry(
  branch: Context,
  policy: RetryPolicy,
  attempts: number,
  attempt: Attempt,
): Promise<unknown> {
  for (let number = 1; ; number++) {
    try {
      return await attemptOnce(branch, policy, attempt);
    } catch (error) {
      if (number >= attempts || !ActivityFailedError.is(error, "activity-failed")) throw error;
      const delayMs = backoffDelayMs(policy.backoff, number);
      branch.log.warn("activity failed, trying again", {
        event: "activity_retried",
        attempt: number,
        attempts,
        delay_ms: delayMs,
        error,
      });
      if (delayMs > 0) await branch.scheduleTimer(delayMs);
    }
  }
}

/** An attempt that times out ends the retries: TimeoutError is not an activity's failure. */
async function attemptOnce(branch: Context, { timeout }: RetryPolicy, attempt: Attempt): Promise<unknown> {
  const activity = attempt(branch);
  if (timeout === undefined) return activity;
  const winner: { readonly index: number; readonly value: unknown } = await branch.race([
    activity,
    branch.scheduleTimer(durationMs(timeout)),
  ]);
  if (winner.index === 1) throw new TimeoutError("timeout: activity timed out");
  return winner.value;
}
