/** The waits of an execution: its open steps. */
import type { ActivityStep, Step, Wait } from "./timeline.ts";

export function waitsOf(steps: readonly Step[]): readonly Wait[] {
  return steps
    .filter(({ outcome }) => outcome === "open")
    .flatMap((step) => waitsOn(step).map((wait) => ({ ...wait, ...notesOf(step) })));
}

function notesOf({ label, source }: Step): Pick<Wait, "label" | "source"> {
  return { ...(label !== undefined && { label }), ...(source !== undefined && { source }) };
}

function waitsOn(step: Step): readonly Wait[] {
  const { id: stepId, scheduledAtMs: sinceMs } = step;
  switch (step.kind) {
    case "timer":
      return [{ kind: step.kind, stepId, sinceMs, dueAtMs: step.dueAtMs }];
    case "child":
      return [{ kind: step.kind, stepId, name: step.name, sinceMs, childInstanceId: step.childInstanceId }];
    case "activity":
      return [activityWait(step)];
    case "event":
    case "queue":
      return [
        { kind: step.kind, stepId, name: step.name, sinceMs, ...(step.keep === true && { keep: true }) },
      ];
    case "system":
      return [{ kind: step.kind, stepId, name: step.name, sinceMs }];
    case "detached":
    case "message":
    case "question":
      return [];
  }
}

function activityWait({ id, name, attempts, maxAttempts, failure, scheduledAtMs }: ActivityStep): Wait {
  const last = attempts.at(-1);
  const pauses = last !== undefined && last.outcome !== "open" && last.pause !== undefined;
  const { limitAtMs } = last ?? {};
  return {
    kind: "activity",
    stepId: id,
    name,
    sinceMs: scheduledAtMs,
    attempt: (last?.number ?? 1) + (pauses ? 1 : 0),
    ...(maxAttempts !== undefined && { maxAttempts }),
    ...(failure !== undefined && { lastFailure: failure }),
    ...(!pauses && limitAtMs !== undefined && { dueAtMs: limitAtMs }),
    ...(pauses && last?.pause !== undefined && { nextRetryAtMs: last.pause.untilMs }),
  };
}
