/** The stored payloads of a step, or of the execution itself. */
import type { ErrorDetails, InstanceTimeline, Step } from "@duroxide-ts/core";

export type Part = "input" | "output";

export interface StoredPayloads {
  readonly input?: string | undefined;
  readonly output?: string | undefined;
  readonly failure?: ErrorDetails | undefined;
}

/** Step 0 is the execution. `undefined` if there is no such step. */
export function payloadsOf(timeline: InstanceTimeline, stepId: number): StoredPayloads | undefined {
  if (stepId === 0) {
    const { input, output, failure } = timeline;
    return { input, output, failure };
  }
  const step = timeline.steps.find(({ id }) => id === stepId);
  return step === undefined ? undefined : ofStep(step);
}

function ofStep(step: Step): StoredPayloads {
  const failure = "failure" in step ? step.failure : undefined;
  const input = "input" in step ? step.input : undefined;
  if (step.kind === "event" || step.kind === "queue") return { output: step.data };
  const output = "result" in step ? step.result : undefined;
  return { input, output, failure };
}
