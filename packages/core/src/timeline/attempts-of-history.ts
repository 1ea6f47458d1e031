/**
 * Calls of activities with their attempts. An attempt belongs to the call whose first attempt its event names; the
 * pauses and limits of attempts are timers whose events name the attempt.
 */
import type { EventOf, HistoryEvent } from "../wire/event.ts";
import { saturatedNumber } from "../wire/integer.ts";
import { begun, type Draft } from "./draft.ts";
import type { ActivityAttempt, ActivityStep, Step, StepOutcome } from "./timeline.ts";

interface Known {
  readonly step: Draft<ActivityStep>;
  readonly attempt: Draft<ActivityAttempt>;
  /** The limit of its run. */
  readonly timeoutMs: number | undefined;
}

interface Timer {
  readonly attempt: Draft<ActivityAttempt>;
  readonly is: "pause" | "limit";
}

export class AttemptsOfHistory {
  readonly #steps: Draft<Step>[];
  readonly #known = new Map<number, Known>();
  readonly #timers = new Map<number, Timer>();
  /** Attempts whose pause the code has dropped, with the time, ms since the epoch. */
  readonly #dropped = new Map<Draft<ActivityAttempt>, number>();

  /** New calls are added to `steps`. */
  constructor(steps: Draft<Step>[]) {
    this.#steps = steps;
  }

  schedule(event: EventOf<"ActivityScheduled">): void {
    const id = Number(event.event_id);
    const scheduledAtMs = saturatedNumber(event.timestamp_ms);
    const first = event.retry_of === undefined ? undefined : this.#known.get(Number(event.retry_of));
    const number =
      event.attempt === undefined ? (first?.step.attempts.length ?? 0) + 1 : Number(event.attempt);
    const attempt: Draft<ActivityAttempt> = { id, number, scheduledAtMs, outcome: "open" };
    const step = first?.step ?? this.#begin(event);
    step.attempts.push(attempt);
    if (event.max_attempts !== undefined) step.maxAttempts = Number(event.max_attempts);
    const timeoutMs = event.timeout_ms === undefined ? undefined : saturatedNumber(event.timeout_ms);
    this.#known.set(id, { step, attempt, timeoutMs });
  }

  #begin(event: EventOf<"ActivityScheduled">): Draft<ActivityStep> {
    const { name, input, tag, limit, session_id: session } = event;
    const step: Draft<ActivityStep> = {
      kind: "activity",
      ...begun(event),
      name,
      ...(tag !== undefined && { tag }),
      ...(session !== undefined && { session }),
      ...(limit !== undefined && { limit }),
      input,
      attempts: [],
    };
    this.#steps.push(step);
    return step;
  }

  /** True if the timer belongs to an attempt. */
  takeTimer(event: EventOf<"TimerCreated">): boolean {
    const { pause_after: pauseAfter, limit_of: limitOf, queue_limit_of: queueLimitOf } = event;
    const owner = pauseAfter ?? limitOf ?? queueLimitOf;
    const attempt = owner === undefined ? undefined : this.#known.get(Number(owner))?.attempt;
    if (attempt === undefined) return false;
    const is = pauseAfter === undefined ? "limit" : "pause";
    const untilMs = saturatedNumber(event.fire_at_ms);
    if (is === "limit") attempt.limitAtMs = untilMs;
    else attempt.pause = { fromMs: saturatedNumber(event.timestamp_ms), untilMs };
    this.#timers.set(Number(event.event_id), { attempt, is });
    return true;
  }

  /** True if the event answers an attempt, or fires a timer of one. */
  answer(source: number, event: HistoryEvent): boolean {
    const timer = this.#timers.get(source);
    if (timer !== undefined) {
      fire(timer, saturatedNumber(event.timestamp_ms));
      return true;
    }
    const known = this.#known.get(source);
    if (known === undefined) return false;
    if (known.attempt.outcome === "open") settleAttempt(known.attempt, event);
    const { attempt, timeoutMs } = known;
    if (timeoutMs !== undefined && attempt.ran !== undefined)
      attempt.limitAtMs = attempt.ran.startedAtMs + timeoutMs;
    return true;
  }

  /** Notes that the call is not tried again, because its code dropped the pause. True if the timer belongs to an attempt. */
  dropPause(timerId: number, atMs: number): boolean {
    const timer = this.#timers.get(timerId);
    if (timer?.is === "pause") {
      fire(timer, atMs);
      this.#dropped.set(timer.attempt, atMs);
    }
    return timer !== undefined;
  }

  /**
   * Notes that what was open when a change by hand began the execution was queued again at that time, ms since the
   * epoch.
   */
  queuedAgain(atMs: number): void {
    for (const { step, attempt } of this.#known.values()) {
      if (!wasOpen(attempt, atMs)) continue;
      attempt.scheduledAtMs = atMs;
      if (attempt === step.attempts[0]) step.scheduledAtMs = atMs;
    }
  }

  /** Gives each call the outcome of its last attempt; a call that pauses before a retry is open. */
  settle(): void {
    for (const { step, attempt } of this.#known.values()) {
      if (attempt.failure !== undefined) step.failure = attempt.failure;
      if (attempt !== step.attempts.at(-1)) continue;
      const pauses = attempt.pause !== undefined && attempt.pause.endedAtMs === undefined;
      const droppedAtMs = this.#dropped.get(attempt);
      step.outcome = pauses ? "open" : droppedAtMs === undefined ? attempt.outcome : "dropped";
      const endedAtMs = droppedAtMs ?? attempt.endedAtMs;
      if (step.outcome !== "open" && endedAtMs !== undefined) step.endedAtMs = endedAtMs;
      if (attempt.result !== undefined) step.result = attempt.result;
    }
  }
}

/** An outcome that was sent again is recorded later, but its activity ran before. */
function wasOpen({ scheduledAtMs, endedAtMs, ran }: Draft<ActivityAttempt>, atMs: number): boolean {
  const endMs = Math.min(endedAtMs ?? atMs, ran?.startedAtMs ?? atMs);
  return scheduledAtMs < atMs && endMs >= atMs;
}

function fire({ attempt, is }: Timer, atMs: number): void {
  if (is === "pause") {
    if (attempt.pause !== undefined) attempt.pause = { ...attempt.pause, endedAtMs: atMs };
  } else if (attempt.outcome === "open") end(attempt, "timed-out", atMs);
}

function settleAttempt(attempt: Draft<ActivityAttempt>, event: HistoryEvent): void {
  const atMs = saturatedNumber(event.timestamp_ms);
  switch (event.type) {
    case "ActivityCompleted":
      end(attempt, "completed", atMs);
      attempt.result = event.result;
      break;
    case "ActivityFailed":
      end(attempt, isTimeout(event) ? "timed-out" : "failed", atMs);
      attempt.failure = event.details;
      break;
    case "ActivityCancelRequested":
      end(attempt, "dropped", atMs);
      break;
    default:
      break;
  }
  if (!("ran" in event) || event.ran === undefined) return;
  const { started_at_ms, worker_id: workerId, attempt: delivery } = event.ran;
  attempt.ran = { startedAtMs: saturatedNumber(started_at_ms), workerId, delivery: Number(delivery) };
}

function isTimeout({ details }: EventOf<"ActivityFailed">): boolean {
  return "Application" in details && details.Application.thrown?.timeout_ms !== undefined;
}

function end(attempt: Draft<ActivityAttempt>, outcome: StepOutcome, atMs: number): void {
  attempt.outcome = outcome;
  attempt.endedAtMs = atMs;
}
