/**
 * The executions in memory whose code has called steps: the handlers of these are in the memory of the code only
 * (docs/decisions/activities.md).
 *
 * - step-memory.SM1: An execution is here before the commit of the turn that calls a step, so that a fetch which takes
 *   the activity at once finds its handler. A turn that is not committed disposes its memory, which removes it.
 * - step-memory.SM2: An execution leaves when its code is disposed, so this holds no more than the cache and the turns
 *   that run.
 * - step-memory.SM3: One that a step waits for stays beyond that, a few at a time: a process without a cache disposes it
 *   with the end of its turn, and could never run the step. The handler of a step needs no code that goes on.
 */
import { BoundedMap } from "../../collections/bounded-map.ts";
import type { LiveExecution } from "../../replay/code/live-execution.ts";
import type { Identity } from "../../replay/code/program.ts";

const MOST_AWAITED = 100;

export class StepMemory {
  readonly #executions = new Map<string, LiveExecution>();
  /** Ids of instances whose execution a step waits for. */
  readonly #awaited = new BoundedMap<string, true>(MOST_AWAITED);
  /** step-memory.SM3 */
  readonly #left = new BoundedMap<string, LiveExecution>(MOST_AWAITED);

  /** A turn will bring the execution into memory, for a step. */
  await(instanceId: string): void {
    this.#awaited.set(instanceId, true);
  }

  keep(live: LiveExecution): void {
    if (live.steps.hasSteps) this.#executions.set(live.identity.instanceId, live);
  }

  /** The execution in memory, if it is this one of the instance. */
  find(instanceId: string, executionId: number): LiveExecution | undefined {
    const live = this.#executions.get(instanceId) ?? this.#left.get(instanceId);
    return live?.identity.executionId === executionId ? live : undefined;
  }

  /** One function for all executions, to avoid a closure for each turn. */
  readonly forget = (identity: Identity): void => {
    const { instanceId } = identity;
    const live = this.#executions.get(instanceId);
    if (live?.identity !== identity) return;
    this.#executions.delete(instanceId);
    if (this.#awaited.get(instanceId) === undefined) return;
    this.#awaited.delete(instanceId);
    this.#left.set(instanceId, live);
  };
}
