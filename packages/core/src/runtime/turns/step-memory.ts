/**
 * The executions in memory whose code has called steps: the handlers of these are in the memory of the code only
 * (docs/decisions/steps.md).
 *
 * - step-memory.SM1: An execution is here before the commit of the turn that calls a step, so that a fetch which takes
 *   the activity at once finds its handler. A turn that is not committed disposes its memory, which removes it.
 * - step-memory.SM2: An execution leaves when its code is disposed, so this holds no more than the cache and the turns
 *   that run.
 */
import type { LiveExecution } from "../../replay/code/live-execution.ts";
import type { Identity } from "../../replay/code/program.ts";

export class StepMemory {
  readonly #executions = new Map<string, LiveExecution>();

  keep(live: LiveExecution): void {
    if (live.steps.hasSteps) this.#executions.set(live.identity.instanceId, live);
  }

  /** The execution in memory, if it is this one of the instance. */
  find(instanceId: string, executionId: number): LiveExecution | undefined {
    const live = this.#executions.get(instanceId);
    return live?.identity.executionId === executionId ? live : undefined;
  }

  /** One function for all executions, to avoid a closure for each turn. */
  readonly forget = (identity: Identity): void => {
    if (this.#executions.get(identity.instanceId)?.identity === identity)
      this.#executions.delete(identity.instanceId);
  };
}
