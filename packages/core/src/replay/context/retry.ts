/**
 * Time limits and retries as a composition of activities and timers (docs/reference/runtime-semantics.md §2.2,
 * docs/decisions/activities.md). An attempt is an activity and, if the call has a total limit, a timer after it; a pause
 * is a timer. The limit of a run travels with the activity, and the worker keeps it.
 *
 * - retry.Y1: A retry is ordinary orchestration code: it makes calls that history records, and decides by what history
 *   answers. So it needs no state of its own, and the store knows nothing of it.
 * - retry.Y2: The whole call runs in a branch. Dropping the call stops the branch, with the attempt or the pause that
 *   is open.
 * - retry.Y3: Which rule an attempt follows is recorded in its event, so that executions which began under an older
 *   rule replay alike (`Attempt.followsOurRules`).
 * - retry.Y4: The total timeout has no timer of its own: each attempt is limited by what is left of it.
 * - retry.Y5: An attempt that was recorded without the limit of its run has a timer instead, by the rule of Rust or of
 *   a version before. The next event of history is that timer.
 */
import type { ActivityOptions } from "../../define/durable-call-options.ts";
import { durationMs } from "../../define/duration.ts";
import type { OrchestrationContext } from "../../define/orchestration-context.ts";
import { type AttemptError, backoffDelayMs, maxAttempts, type RetryPolicy } from "../../define/retry.ts";
import type { Task } from "../../define/task.ts";
import { ActivityFailedError, DuroxideError, TimeoutError } from "../../errors/duroxide-error.ts";
import { restorePause } from "../../errors/retry-after.ts";
import { thrownText } from "../../errors/thrown-value.ts";
import { runMarked } from "../../guard/orchestration-frame.ts";
import { Attempt } from "../calls/attempt.ts";
import { DurableTask } from "../calls/durable-task.ts";
import type { TimerPurpose } from "../calls/timer.ts";
import { isFinal, thrownIn, warnOfMinified } from "./final-errors.ts";
import { branchTask, type StartBranch } from "./member.ts";

/** The plan of a call with retries or limits. */
export interface AttemptPlan {
  readonly activityName: string;
  readonly policy: RetryPolicy;
  readonly attempts: number;
  readonly timeoutMs: number | undefined;
  readonly queueMs: number | undefined;
  readonly totalMs: number | undefined;
}

/** How the parts of a call are scheduled in a branch. */
export interface AttemptCalls<C> {
  activity(branch: C, attempt: Attempt): Task<unknown>;
  timer(branch: C, delayMs: number, purpose: TimerPurpose): Task<unknown>;
  /** The timer of an attempt that was recorded without its limit (retry.Y5). */
  oldLimit(branch: C): DurableTask<unknown>;
  /** Whether the failure just received is final: as recorded, else as judged. */
  decideFinal(judged: boolean): boolean;
}

/** `undefined` if the call is a single activity without limits. Throws InvalidInputError for invalid limits. */
export function planAttempts(
  activityName: string,
  { retry, timeout, queueTimeout, totalTimeout }: ActivityOptions,
): AttemptPlan | undefined {
  if ([retry, timeout, queueTimeout, totalTimeout].every((option) => option === undefined)) return undefined;
  const policy = retry ?? ONCE;
  const limit = timeout ?? policy.timeout;
  return {
    activityName,
    policy,
    attempts: maxAttempts(policy),
    timeoutMs: limit === undefined ? undefined : durationMs(limit),
    queueMs: queueTimeout === undefined ? undefined : durationMs(queueTimeout),
    totalMs: totalTimeout === undefined ? undefined : durationMs(totalTimeout),
  };
}

const ONCE: RetryPolicy = { maxAttempts: 1 };

export function runAttempts<C extends OrchestrationContext>(
  plan: AttemptPlan,
  startBranch: StartBranch<C>,
  calls: AttemptCalls<C>,
): DurableTask<unknown> {
  return branchTask(startBranch, (branch) =>
    tryUntilFinal(branch, plan, {
      activity: (attempt) => calls.activity(branch, attempt),
      timer: (delayMs, is, attempt) => calls.timer(branch, delayMs, { is, attempt }),
      oldLimit: () => calls.oldLimit(branch),
      decideFinal: (judged) => calls.decideFinal(judged),
    }),
  );
}

/** The calls of one branch. */
interface Calls {
  activity(attempt: Attempt): Task<unknown>;
  timer(delayMs: number, is: TimerPurpose["is"], attempt: Attempt): Task<unknown>;
  oldLimit(): DurableTask<unknown>;
  decideFinal(judged: boolean): boolean;
}

/**
 * Functions of the user run in replays too, marked as orchestration code for the guard. `when` decides; `onRetry` only
 * watches, so nothing waits for it, and its errors change nothing (docs/decisions/observers.md).
 */
async function tryUntilFinal(
  branch: OrchestrationContext,
  plan: AttemptPlan,
  calls: Calls,
): Promise<unknown> {
  const deadlineMs = plan.totalMs === undefined ? undefined : branch.now() + plan.totalMs;
  const { policy, attempts } = plan;
  const isNumbered = policy !== ONCE && policy.timeoutEndsRetries !== true;
  const recordedMax = policy !== ONCE && Number.isFinite(attempts) ? attempts : undefined;
  let first: Attempt | undefined;
  for (let number = 1; ; number++) {
    const runMs = policy.timeoutEndsRetries === true ? undefined : plan.timeoutMs;
    const attempt = new Attempt({ number, first, isNumbered, max: recordedMax, runMs });
    first ??= attempt;
    try {
      return await tryOnce(branch, plan, { attempt, calls, deadlineMs });
    } catch (error) {
      if (policy === ONCE || !isAttemptError(error)) throw error;
      const judge = (): boolean => number >= attempts || isFinal(error, attempt, policy);
      // Without a predicate no function of the user is called, so no marked frame is needed.
      const judged = policy.when === undefined ? judge() : await runMarked(judge);
      if (calls.decideFinal(judged)) throw error;
      warnOfMinified(branch, policy, error, number);
      await pause(branch, plan, { attempt, calls, error, deadlineMs });
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
  readonly calls: Calls;
  readonly deadlineMs: number | undefined;
}

async function tryOnce(branch: OrchestrationContext, plan: AttemptPlan, trial: Trial): Promise<unknown> {
  const { attempt, calls, deadlineMs } = trial;
  const leftMs = deadlineMs === undefined ? Number.POSITIVE_INFINITY : deadlineMs - branch.now();
  // A timer may fire late, for example after the process was down.
  if (leftMs <= 0 && attempt.number > 1) throw totalTimeout(plan, attempt.number);
  const activity = calls.activity(attempt);
  const timedMs = attempt.runMs === undefined ? plan.timeoutMs : undefined;
  const limitMs = Math.min(timedMs ?? Number.POSITIVE_INFINITY, Math.max(0, leftMs));
  const { queueMs, timeoutMs = Number.POSITIVE_INFINITY } = plan;
  const queue = queueMs === undefined ? [] : [calls.timer(queueMs, "queue", attempt)];
  const limit = limitMs === Number.POSITIVE_INFINITY ? [] : [calls.timer(limitMs, "limit", attempt)];
  const limits = [...queue, ...limit];
  if (limits.length === 0) return orOldLimit(activity, plan, trial);
  const winner: { readonly index: number; readonly value: unknown } = await branch.race([
    activity,
    ...limits,
  ]);
  if (winner.index === 0) return winner.value;
  if (winner.index <= queue.length) throw queueTimeout(plan);
  throw !attempt.isLimited && timeoutMs <= Math.max(0, leftMs)
    ? timeout(plan, attempt)
    : totalTimeout(plan, attempt.number);
}

/** retry.Y5. The activity and the timer are in history as a race was. */
function orOldLimit(activity: Task<unknown>, plan: AttemptPlan, { attempt, calls }: Trial): Task<unknown> {
  const { timeoutMs } = plan;
  if (attempt.runMs === undefined || timeoutMs === undefined || !(activity instanceof DurableTask))
    return activity;
  const task = new DurableTask<unknown>();
  attempt.whenUnlimited(() => {
    const limit = calls.oldLimit();
    limit.then(
      () => {
        if (!task.pending) return;
        activity.cancel();
        task.reject(timeout(plan, attempt));
      },
      () => {},
    );
    activity.then(
      () => limit.cancel(),
      () => limit.cancel(),
    );
  });
  activity.then(
    (value) => task.fulfil(value),
    (error: unknown) => task.reject(error),
  );
  return task;
}

interface Failed extends Trial {
  readonly error: AttemptError;
}

/** Logs the retry, and waits; throws if no time would be left after the pause. */
async function pause(
  branch: OrchestrationContext,
  plan: AttemptPlan,
  { attempt, calls, error, deadlineMs }: Failed,
): Promise<void> {
  const { number } = attempt;
  const { policy, attempts, activityName } = plan;
  const delayMs = askedMs(error, attempt, branch.now()) ?? backoffDelayMs(policy.backoff, number);
  if (deadlineMs !== undefined && branch.now() + delayMs >= deadlineMs) {
    throw totalTimeout(plan, number, error);
  }
  const fields = { activity_name: activityName, attempt: number, attempts, delay_ms: delayMs, error };
  branch.log.warn({ event: "activity_retried", ...fields }, "activity failed, trying again");
  const { onRetry } = policy;
  if (onRetry !== undefined) {
    runMarked(() => onRetry({ attempt: number, attempts, delayMs, error })).catch((failure: unknown) =>
      branch.log.warn(
        { event: "observer_failed", observer: "onRetry", error: failure },
        `onRetry failed, and the work goes on without it: ${thrownText(failure)}`,
      ),
    );
  }
  if (delayMs > 0) await calls.timer(delayMs, "pause", attempt);
}

/** The pause that the error asks for. The rule of Rust ignores what errors say. */
function askedMs(error: AttemptError, attempt: Attempt, nowMs: number): number | undefined {
  const thrown = attempt.followsOurRules ? thrownIn(error) : undefined;
  const pause = thrown && restorePause(thrown);
  if (pause === undefined) return undefined;
  return "ms" in pause ? pause.ms : Math.max(0, pause.atMs - nowMs);
}

function queueTimeout({ activityName, queueMs }: AttemptPlan): TimeoutError {
  return new TimeoutError(`timeout: no worker has begun activity "${activityName}" within ${queueMs} ms`);
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
