/**
 * The step that runs in the current async context (docs/decisions/activities.md). A step runs outside the turns of its
 * orchestration, so a durable call in it would have no place in history.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { shared } from "../host/shared.ts";

const running = shared("running-step.1", () => new AsyncLocalStorage<string>());

/** Runs the handler of the named step, which may call everything but its orchestration's context. */
export function runStep<T>(name: string, handler: () => T): T {
  return running.run(name, handler);
}

/** Throws InvalidInputError for a call of `ctx` inside a step. */
export function refuseInStep(call: string): void {
  const name = running.getStore();
  if (name === undefined) return;
  throw new InvalidInputError(
    `ctx.${call} inside the step "${name}": a step makes no durable calls; make it before or after the step, or make the step a branch of several steps`,
  );
}
