/** Steps that are undone if the orchestration fails or is cancelled (docs/decisions/sagas.md). */
import type { ActivityContext } from "./activity-context.ts";
import type { ActivityDefinition, AnyActivity } from "./definition-types.ts";
import type { ActivityOptions, StepOptions } from "./durable-call-options.ts";
import type { RetryPolicy } from "./retry.ts";
import type { Stored } from "./stored.ts";
import type { Task } from "./task.ts";

/** The options of an undo. */
export interface UndoOptions {
  /**
   * How the undo is retried, with two attempts or more: the last one comes when all other undos have ended. Default: ten
   * attempts, with the default pauses.
   */
  readonly undoRetry?: RetryPolicy;
}

/** The options of a step with an undo that also runs where nobody knows whether the step was done. */
export interface Uncertain {
  /**
   * Whether the undo runs, without a value, if the step timed out or was dropped: it may have been done. Default: no.
   */
  readonly onUncertain: true;
}

/** How a step is undone: the handler of a step of its own, which gets what the step returned. */
export type Undo<T> = (value: T, step: ActivityContext) => unknown;

/** The input of an activity; of any type for one that is named. */
type ActivityInput<A> =
  A extends ActivityDefinition<infer Input, infer _O, infer _P, infer _R> ? Input : unknown;

/** The result of an activity; of any type for one that is named. */
type ActivityResult<A> =
  A extends ActivityDefinition<infer _I, infer _O, infer _P, infer Result> ? Result : unknown;

/** Steps and how to undo them, in the order of the calls. */
export interface Saga {
  /**
   * Runs a step, as `ctx.run`, and remembers how to undo it.
   *
   * @example
   * ```ts
   * const saga = ctx.saga();
   * const receipt = await saga.run("charge", () => order.cents, (cents) => cents);
   * ```
   */
  run<T>(
    name: string,
    step: (context: ActivityContext) => T,
    undo: Undo<Stored<Awaited<T>> | undefined>,
    options: StepOptions & UndoOptions & Uncertain,
  ): Task<Stored<Awaited<T>>>;
  /** The same without `onUncertain`: the undo runs only for a step that is known to be done, and gets its result. */
  run<T>(
    name: string,
    step: (context: ActivityContext) => T,
    undo: Undo<Stored<Awaited<T>>>,
    options?: StepOptions & UndoOptions,
  ): Task<Stored<Awaited<T>>>;

  /**
   * Calls an activity, as `ctx.scheduleActivity`, and remembers how to undo it.
   *
   * @example
   * ```ts
   * const saga = ctx.saga();
   * await saga.schedule(charge, order, { undo: (receipt) => pay(0) });
   * ```
   */
  schedule<A extends AnyActivity | string>(
    activity: A,
    input: ActivityInput<A>,
    options: ActivityOptions &
      UndoOptions & { readonly undo: Undo<ActivityResult<A> | undefined> } & Uncertain,
  ): Task<ActivityResult<A>>;
  /** The same without `onUncertain`: the undo runs only for an activity that is known to be done, and gets its result. */
  schedule<A extends AnyActivity | string>(
    activity: A,
    input: ActivityInput<A>,
    options: ActivityOptions & UndoOptions & { readonly undo: Undo<ActivityResult<A>> },
  ): Task<ActivityResult<A>>;

  /**
   * Undoes what was done so far, the last call first, and forgets it. The runtime does so by itself if the handler throws
   * or is cancelled. Rejects with CompensationError if an undo fails for good; the others have run then.
   *
   * @example
   * ```ts
   * const saga = ctx.saga();
   * await saga.run("reserve", () => "seat 7", () => console.log("released"));
   * await saga.compensate(); // undoes the reservation
   * ```
   */
  compensate(): Promise<void>;
}
