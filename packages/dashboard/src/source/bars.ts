/** The steps of an execution as bars. Calls of the system (a new id, the time) are in the history only. */
import type { ActivityAttempt, ActivityStep, InstanceTimeline, Step, StepOutcome } from "@duroxide-ts/core";
import { displayMessage } from "@duroxide-ts/core/stores";
import type { Attempt, Bar } from "../page/shapes/instance.ts";
import type { State } from "../page/shapes/states.ts";

type ShownStep = Exclude<Step, { readonly kind: "system" }>;

export function barsOf({ steps, endedAtMs }: InstanceTimeline): Bar[] {
  return steps.filter((step) => step.kind !== "system").map((step) => barOf(step, endedAtMs));
}

function barOf(step: ShownStep, executionEndMs: number | undefined): Bar {
  const endMs = step.endedAtMs ?? (step.outcome === "open" ? undefined : executionEndMs);
  const failure = "failure" in step ? step.failure : undefined;
  return {
    id: step.id,
    kind: step.kind,
    name: step.kind === "timer" ? "timer" : step.name,
    ...(step.label !== undefined && { label: step.label }),
    state: stateOf(step),
    startMs: step.scheduledAtMs,
    ...(endMs !== undefined && { endMs }),
    attempts: step.kind === "activity" ? step.attempts.map(attemptOf) : [],
    ...(failure !== undefined && { note: displayMessage(failure) }),
    ...(step.source !== undefined && { source: step.source }),
    ...onlyIn(step),
  };
}

/** Returns the fields that only some kinds have. */
function onlyIn(step: ShownStep): Partial<Bar> {
  switch (step.kind) {
    case "activity": {
      const pauseEndMs = openPause(step)?.untilMs;
      return {
        ...(step.maxAttempts !== undefined && { maxAttempts: step.maxAttempts }),
        ...(step.tag !== undefined && { tag: step.tag }),
        ...(step.session !== undefined && { session: step.session }),
        ...(pauseEndMs !== undefined && { dueMs: pauseEndMs }),
      };
    }
    case "timer":
      return step.outcome === "open" ? { dueMs: step.dueAtMs } : {};
    case "child":
      return { child: step.childInstanceId };
    case "detached":
      return { child: step.startedInstanceId };
    case "message":
      return { child: step.toInstanceId };
    default:
      return {};
  }
}

function stateOf(step: ShownStep): State {
  if (step.outcome !== "open") return STATE_OF[step.outcome];
  if (step.kind === "activity") return openPause(step) === undefined ? "running" : "retrying";
  return step.kind === "child" ? "running" : "waiting";
}

/** The pause that an open call is in. */
function openPause({ outcome, attempts }: ActivityStep): ActivityAttempt["pause"] {
  return outcome === "open" ? attempts.at(-1)?.pause : undefined;
}

const STATE_OF: Readonly<Record<StepOutcome, State>> = {
  open: "running",
  completed: "completed",
  failed: "failed",
  "timed-out": "failed",
  dropped: "cancelled",
};

function attemptOf(attempt: ActivityAttempt): Attempt {
  const { id, scheduledAtMs, endedAtMs, outcome, ran, failure } = attempt;
  return {
    id,
    scheduledMs: scheduledAtMs,
    state: STATE_OF[outcome],
    ...(endedAtMs !== undefined && { endMs: endedAtMs }),
    ...(ran !== undefined && { startedMs: ran.startedAtMs, worker: ran.workerId, delivery: ran.delivery }),
    ...(failure !== undefined && { note: displayMessage(failure) }),
  };
}
