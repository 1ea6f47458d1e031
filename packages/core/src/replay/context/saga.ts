/** A saga of one context: its calls are in the stack of the execution, which knows what is to be undone. */
import type { ActivityContext } from "../../define/activity-context.ts";
import { checkUndo } from "../../define/call-options.ts";
import type { ActivityOptions, StepHandler, StepOptions } from "../../define/durable-call-options.ts";
import { calleeName, type Named } from "../../define/named.ts";
import type { OrchestrationContext } from "../../define/orchestration-context.ts";
import { maxAttempts, type RetryPolicy } from "../../define/retry.ts";
import type { Saga } from "../../define/saga.ts";
import type { Task } from "../../define/task.ts";
import { ActivityFailedError, DuroxideError } from "../../errors/duroxide-error.ts";
import { UNDO_PREFIX } from "../../wire/known-code.ts";
import { typedTask } from "../calls/durable-task.ts";
import type { RunningCode } from "../code/recorder.ts";
import type { Undoing } from "../code/undo-stack.ts";
import { branchTask, type StartBranch } from "./member.ts";

type AnyUndo = (value: unknown, step: ActivityContext) => unknown;
interface HowToUndo {
  readonly onUncertain?: boolean | undefined;
  readonly undoRetry?: RetryPolicy | undefined;
}

type SagaStepOptions = StepOptions & HowToUndo;
type SagaActivityOptions = ActivityOptions & HowToUndo & { readonly undo: AnyUndo };

/** Retries of an undo, which take about a minute. */
const DEFAULT_RETRY: RetryPolicy = { maxAttempts: 10 };

export class ContextSaga implements Saga {
  readonly #code: RunningCode;
  readonly #startBranch: StartBranch;

  constructor(code: RunningCode, startBranch: StartBranch) {
    this.#code = code;
    this.#startBranch = startBranch;
  }

  run(name: string, step: StepHandler, undo: AnyUndo, options: SagaStepOptions = {}): Task<never> {
    checkUndo("run", undo, options);
    const { onUncertain, undoRetry, ...rest } = options;
    return this.#call(name, undo, { onUncertain, undoRetry }, (branch) => branch.run(name, step, rest));
  }

  schedule(activity: Named, input?: unknown, options: Partial<SagaActivityOptions> = {}): Task<never> {
    checkUndo("schedule", options?.undo, options);
    const { undo, onUncertain, undoRetry, ...rest } = options as SagaActivityOptions;
    const name = calleeName("schedule", "activity", activity);
    return this.#call(name, undo, { onUncertain, undoRetry }, (branch) =>
      (branch.scheduleActivity as (a: Named, i: unknown, o: ActivityOptions) => Task<unknown>)(
        activity,
        input,
        rest,
      ),
    );
  }

  compensate(): Promise<void> {
    return this.#code.cleanUps.undos.runAll(undefined, this);
  }

  #call(
    name: string,
    undo: AnyUndo,
    how: HowToUndo,
    call: (branch: OrchestrationContext) => Task<unknown>,
  ): Task<never> {
    const { cleanUps } = this.#code;
    const undoing = new DoneOrUncertain(this, name, undo, how);
    const task = branchTask(this.#startBranch, (branch) =>
      call(branch).then(
        (value) => {
          undoing.done = { value };
          return value;
        },
        (error: unknown) => {
          if (!mayBeDone(error)) cleanUps.undos.remove(undoing);
          throw error;
        },
      ),
    );
    undoing.drop = () => task.cancel();
    cleanUps.undoLater(undoing);
    return typedTask(task);
  }
}

/** Whether the call may have been done all the same: its last attempt timed out, or ended with its process. */
function mayBeDone(error: unknown): boolean {
  if (DuroxideError.is(error, "timeout")) return true;
  return ActivityFailedError.is(error) && "Poison" in error.details;
}

class DoneOrUncertain implements Undoing {
  readonly saga: object;
  /** The stored result of the call, once there is one. */
  done: { readonly value: unknown } | undefined;
  /** Drops the call, if it still runs. */
  drop: () => void = () => {};
  readonly #name: string;
  readonly #undo: AnyUndo;
  readonly #how: HowToUndo;

  constructor(saga: object, name: string, undo: AnyUndo, how: HowToUndo) {
    this.saga = saga;
    this.#name = name;
    this.#undo = undo;
    this.#how = how;
  }

  undo(ctx: OrchestrationContext, attempts: "first" | "last"): PromiseLike<unknown> | undefined {
    if (this.done === undefined) {
      // A call that still runs may be done while it is undone.
      this.drop();
      if (this.#how.onUncertain !== true) return undefined;
    }
    const value = this.done?.value;
    const retry = { ...DEFAULT_RETRY, ...this.#how.undoRetry };
    return ctx.run(`${UNDO_PREFIX}${this.#name}`, (step) => this.#undo(value, step), {
      retry: { ...retry, maxAttempts: attempts === "last" ? 1 : maxAttempts(retry) - 1 },
    });
  }
}
