/** An entry of `race` or `all`: a task, any other promise or value, or a branch of several steps. */
import type { BranchFunction, OrchestrationContext } from "../../define/orchestration-context.ts";
import { runMarked } from "../../guard/orchestration-frame.ts";
import { DurableTask } from "../calls/durable-task.ts";
import type { Scope } from "../calls/scope.ts";

/** Code that runs with a separate context. */
export interface Branch<T> {
  readonly scope: Scope;
  readonly result: PromiseLike<T>;
  stop(): void;
}

/** Runs code with a separate context, which can be stopped as a whole. */
export type StartBranch<C extends OrchestrationContext = OrchestrationContext> = (
  run: (branch: C) => PromiseLike<unknown>,
) => Branch<unknown>;

/** Runs code with a separate context as one task: dropping the task stops the code. */
export function branchTask<C extends OrchestrationContext>(
  startBranch: StartBranch<C>,
  run: (branch: C) => PromiseLike<unknown>,
): DurableTask<unknown> {
  const { scope, result, stop } = startBranch(run);
  const task = new DurableTask<unknown>(stop);
  scope.result = task;
  result.then(
    (value) => task.fulfil(value),
    (error: unknown) => task.reject(error),
  );
  return task;
}

export interface Member {
  readonly result: PromiseLike<unknown>;
  /** Tasks and branches can be dropped, other promises cannot. */
  drop(reason: unknown): void;
}

export function startMember(entry: unknown, startBranch: StartBranch): Member {
  if (typeof entry === "function") {
    const run = entry as BranchFunction;
    const { result, stop } = startBranch((branch) => runMarked(() => run(branch)));
    return { result, drop: stop };
  }
  if (entry instanceof DurableTask) return { result: entry, drop: (reason) => entry.cancel(reason) };
  return { result: runMarked(() => entry), drop: () => {} };
}
