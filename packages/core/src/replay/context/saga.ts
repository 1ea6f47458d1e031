/** A saga of one context: its calls are in the stack of the execution, which knows what is to be undone. */

import type { ActivityContext } from "../../define/activity-context.ts";
import { checkUndo } from "../../define/call-options.ts";
import type { ActivityOptions, StepHandler, StepOptions } from "../../define/durable-call-options.ts";
import type { Named } from "../../define/named.ts";
import { calleeName } from "../../define/named.ts";
import type { OrchestrationContext } from "../../define/orchestration-context.ts";
import type { Saga } from "../../define/saga.ts";
import type { Task } from "../../define/task.ts";
import { DuroxideError } from "../../errors/duroxide-error.ts";
import { DurableTask, typedTask } from "../calls/durable-task.ts";
import type { RunningCode } from "../code/recorder.ts";
import type { Undoing } from "../code/undo-stack.ts";
import type { StartBranch } from "./member.ts";

type AnyUndo = (value: unknown, step: ActivityContext) => unknown;
type SagaStepOptions = StepOptions & { readonly onUncertain?: boolean };
type SagaActivityOptions = ActivityOptions & { readonly undo: AnyUndo; readonly onUncertain?: boolean };

export class ContextSaga implements Saga {
  readonly #ctx: OrchestrationContext;
  readonly #code: RunningCode;
  readonly #startBranch: StartBranch;

  constructor(ctx: OrchestrationContext, code: RunningCode, startBranch: StartBranch) {
    this.#ctx = ctx;
    this.#code = code;
    this.#startBranch = startBranch;
  }

  run(name: string, step: StepHandler, undo: AnyUndo, options: SagaStepOptions = {}): Task<never> {
    const { onUncertain, ...rest } = options;
    checkUndo("run", undo, onUncertain);
    return this.#call(name, undo, onUncertain, (branch) => branch.run(name, step, rest));
  }

  schedule(activity: Named, input?: unknown, options?: SagaActivityOptions): Task<never> {
    const { undo, onUncertain, ...rest } = options ?? ({} as SagaActivityOptions);
    checkUndo("schedule", undo, onUncertain);
    const name = calleeName("schedule", "activity", activity);
    return this.#call(name, undo, onUncertain, (branch) =>
      (branch.scheduleActivity as (a: Named, i: unknown, o: ActivityOptions) => Task<unknown>)(
        activity,
        input,
        rest,
      ),
    );
  }

  compensate(): Promise<void> {
    return this.#code.cleanUps.undos.runAll(this.#ctx, undefined, this);
  }

  #call(
    name: string,
    undo: AnyUndo,
    onUncertain: boolean | undefined,
    call: (branch: OrchestrationContext) => Task<unknown>,
  ): Task<never> {
    const { cleanUps } = this.#code;
    const { scope, result, stop } = this.#startBranch((branch) => call(branch));
    const task = new DurableTask<unknown>(stop);
    scope.result = task;
    const undoing = new DoneOrUncertain(this, name, undo, onUncertain === true, () => task.cancel());
    cleanUps.undoLater(undoing);
    result.then(
      (value) => {
        undoing.done = { value };
        task.fulfil(value);
      },
      (error: unknown) => {
        if (!DuroxideError.is(error, "timeout")) cleanUps.undos.remove(undoing);
        task.reject(error);
      },
    );
    return typedTask(task);
  }
}

class DoneOrUncertain implements Undoing {
  readonly saga: object;
  /** The stored result of the call, once there is one. */
  done: { readonly value: unknown } | undefined;
  readonly #name: string;
  readonly #undo: AnyUndo;
  readonly #onUncertain: boolean;
  readonly #drop: () => void;

  constructor(saga: object, name: string, undo: AnyUndo, onUncertain: boolean, drop: () => void) {
    this.saga = saga;
    this.#name = name;
    this.#undo = undo;
    this.#onUncertain = onUncertain;
    this.#drop = drop;
  }

  undo(ctx: OrchestrationContext, maxAttempts: number): PromiseLike<unknown> | undefined {
    // A call that still runs may be done while it is undone.
    if (this.done === undefined) this.#drop();
    if (this.done === undefined && !this.#onUncertain) return undefined;
    const value = this.done?.value;
    return ctx.run(`undo ${this.#name}`, (step) => this.#undo(value, step), {
      retry: { maxAttempts },
    });
  }
}
