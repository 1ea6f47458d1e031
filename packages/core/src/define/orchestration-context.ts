/**
 * The calls of an orchestration handler. Every durable call starts when it is made, not when it is awaited, and a
 * replay takes its result from history. Semantics: docs/reference/runtime-semantics.md §2.
 */
import type { TagChanges } from "../wire/tags.ts";
import type { ActivityContext } from "./activity-context.ts";
import type { Conversing } from "./answering.ts";
import type {
  ActivityDefinition,
  AnyActivity,
  CallArguments,
  EventDefinition,
  QueueDefinition,
} from "./definition-types.ts";
import type {
  ActivityOptions,
  CallOptions,
  ContinueAsNewOptions,
  DetachedOptions,
  OnCancelOptions,
  RaceOptions,
  RequiredInput,
  StepOptions,
  SubOrchestrationOptions,
} from "./durable-call-options.ts";
import type { EntryValue, JoinValue, RaceResult } from "./joined-values.ts";
import type { KeyValues } from "./key-values.ts";
import type { ContextLog } from "./logger.ts";
import type { EarlyEnd, MapOptions } from "./map.ts";
import type { Saga } from "./saga.ts";
import type { ShowingStatus } from "./showing-status.ts";
import type { StandardSchema } from "./standard-schema.ts";
import type { Stored } from "./stored.ts";
import type { Task } from "./task.ts";
import type { TimeAndChance } from "./time-and-chance.ts";
import type { TimerTime } from "./timer-time.ts";

/**
 * The calls of orchestration code. Every durable call starts when it is made, not when it is awaited. `Status` is the type
 * of the custom status that the code sets, `Shown` the one that is read.
 */
export interface OrchestrationContext<Status = unknown, Shown = Stored<Status>>
  extends Conversing<OrchestrationContext<Status, Shown>>,
    ShowingStatus<Status, Shown>,
    TimeAndChance {
  readonly instanceId: string;
  /** 1 for the first execution, incremented by each continue-as-new. */
  readonly executionId: number;
  readonly orchestrationName: string;
  readonly orchestrationVersion: string;
  /** Whether the code repeats steps that ran in an earlier turn or process. */
  readonly isReplaying: boolean;
  /** The due time for which a schedule has started the instance, without jitter, ms since the epoch. */
  readonly scheduled: { readonly name: string; readonly dueMs: number } | undefined;

  /**
   * Calls an activity: its definition, or its name for one that is defined elsewhere. Rejects with
   * ActivityFailedError, or TimeoutError. An activity runs at least once: make it idempotent.
   *
   * @example
   * ```ts
   * const receipt = await ctx.scheduleActivity(charge, order, {
   *   retry: { maxAttempts: 5, backoff: { kind: "exponential", base: { seconds: 1 }, max: { minutes: 1 } } },
   *   timeout: { seconds: 30 },
   * });
   * ```
   */
  scheduleActivity<A extends AnyActivity | string>(
    activity: A,
    ...args: CallArgumentsOf<A, ActivityOptions>
  ): Task<ResultOf<A>>;

  /**
   * Runs a function of this orchestration as an activity: at least once, after its call is stored, with retries and
   * limits. It runs where the code of the orchestration is; after a crash another process repeats the orchestration up
   * to this call and runs it there. It may do anything but call `ctx`; what it writes to variables of the orchestration
   * is lost. Rejects as `scheduleActivity`.
   *
   * @example
   * ```ts
   * const receipt = await ctx.run("charge", ({ callKey, signal }) => pay(order.cents, { idempotencyKey: callKey, signal }), {
   *   retry: { maxAttempts: 5 },
   * });
   * ```
   */
  run<T>(
    name: string,
    step: (context: ActivityContext) => T,
    options?: StepOptions,
  ): Task<Stored<Awaited<T>>>;

  /**
   * Resolves when the time has come, never before; at once for an instant that has passed. Survives restarts: the time is
   * decided once. InvalidInputError for a negative delay, an invalid date or expression, and anything that is no time.
   *
   * @example
   * ```ts
   * await ctx.scheduleTimer({ days: 7 });
   * await ctx.scheduleTimer({ until: new Date("2030-01-01T09:00:00Z") });
   * await ctx.scheduleTimer({ cron: "0 9 * * MON", timezone: "Europe/Berlin" }); // the next Monday at nine
   * ```
   */
  scheduleTimer(time: TimerTime, options?: CallOptions): Task<void>;

  /**
   * The next arrival of the event after this call's turn; earlier ones are lost, unless the event is kept. With a name
   * instead of a definition the type is not checked; for a kept event pass its definition. What does not fit the schema of
   * the definition is set aside, and the wait stays open.
   *
   * @example
   * ```ts
   * const decision = ctx.waitForEvent(approved);
   * const winner = await ctx.race([decision, ctx.scheduleTimer({ hours: 24 })]);
   * if (winner.index === 1) return "nobody approved";
   * ```
   */
  waitForEvent<T = unknown>(event: EventDefinition<unknown, T> | string, options?: CallOptions): Task<T>;

  /**
   * The oldest unread message of the queue; waits for one if it is empty. What does not fit its schema is set aside.
   *
   * @example
   * ```ts
   * const line = await ctx.dequeue(lines);
   * ```
   */
  dequeue<T = unknown>(queue: QueueDefinition<unknown, T> | string, options?: CallOptions): Task<T>;

  /**
   * Starts a child: a definition, or the name of one that is defined elsewhere. Rejects with
   * SubOrchestrationFailedError.
   *
   * @example
   * ```ts
   * const receipt = await ctx.scheduleSubOrchestration(checkout, order, { instanceId: `checkout-${order.id}` });
   * ```
   */
  scheduleSubOrchestration<O extends AnyOrchestration | string>(
    orchestration: O,
    ...args: CallArgumentsOf<O, SubOrchestrationOptions>
  ): Task<ResultOf<O>>;

  /**
   * Starts an independent orchestration: no result, not cancelled with this one. InvalidInputError for a bad id.
   *
   * @example
   * ```ts
   * ctx.startOrchestration(checkout, { instanceId: `checkout-${order.id}`, input: order });
   * ```
   */
  startOrchestration<O extends AnyOrchestration | string>(
    orchestration: O,
    options: DetachedOptions<InputOf<O>> & RequiredInput<InputOf<O>>,
  ): void;

  /**
   * Ends this execution and starts the next with a fresh history. The promise never settles, so no `catch`
   * can swallow it: `return ctx.continueAsNew(…)`. Branches stop, later calls are not carried out, and the next
   * execution gets the messages that no code has read.
   *
   * @example
   * ```ts
   * return ctx.continueAsNew(checkout, order);
   * ```
   */
  continueAsNew<O extends AnyOrchestration | string>(
    orchestration: O,
    ...args: CallArgumentsOf<O, ContinueAsNewOptions>
  ): Promise<never>;

  /**
   * All values in argument order; waits for all, then rejects with the first error in argument order. A branch of
   * several steps may be passed as a function of its own context.
   *
   * @example
   * ```ts
   * const receipts = await ctx.all(orders.map((each) => ctx.scheduleActivity(charge, each)));
   * ```
   */
  all<const T extends readonly JoinEntry<Status, Shown>[]>(
    entries: T,
  ): Task<{ -readonly [K in keyof T]: EntryValue<T[K]> }>;
  /**
   * One branch for each item, at most `concurrency` at a time, and their values in the order of the items. Without other
   * options it rejects with the first failure, by the order of the items, after all have settled. With `minSuccessful`
   * or `toleratedFailures` it may end earlier and drop the rest: an item that has not settled is then `undefined`.
   *
   * @example
   * ```ts
   * const receipts = await ctx.map(orders, (branch, each) => branch.scheduleActivity(charge, each), { concurrency: 5 });
   * ```
   */
  map<Item, T>(
    items: readonly Item[],
    each: MapFunction<Item, T, Status, Shown>,
    options: MapOptions & EarlyEnd,
  ): Task<(PromiseSettledResult<T> | undefined)[]>;
  /** The same with `settled: true`: the outcome of each item, failures too. */
  map<Item, T>(
    items: readonly Item[],
    each: MapFunction<Item, T, Status, Shown>,
    options: MapOptions & { readonly settled: true },
  ): Task<PromiseSettledResult<T>[]>;
  /** The same without either: the results, or the first failure. */
  map<Item, T>(
    items: readonly Item[],
    each: MapFunction<Item, T, Status, Shown>,
    options?: Pick<MapOptions, "concurrency">,
  ): Task<T[]>;

  /**
   * A saga: each of its steps comes with how to undo it. If the handler throws, is cancelled or passes its deadline,
   * what was done is undone, the last call first, before the instance ends. Continue-as-new and the end of the handler
   * forget it.
   *
   * @example
   * ```ts
   * const saga = ctx.saga();
   * await saga.run("reserve", () => order.id, (id) => id);
   * await saga.schedule(charge, order, { undo: (receipt) => receipt });
   * ```
   */
  saga(): Saga;

  /**
   * All outcomes in argument order; never rejects.
   *
   * @example
   * ```ts
   * const outcomes = await ctx.allSettled(orders.map((each) => ctx.scheduleActivity(charge, each)));
   * const failed = outcomes.filter(({ status }) => status === "rejected").length;
   * ```
   */
  allSettled<const T extends readonly JoinEntry<Status, Shown>[]>(
    entries: T,
  ): Task<{ -readonly [K in keyof T]: PromiseSettledResult<EntryValue<T[K]>> }>;
  /**
   * The first to settle, by history order. Losers are cancelled unless `keep` is set. A branch of several
   * steps is passed as a function of its own context; once it has lost it goes no further.
   *
   * @example
   * ```ts
   * const winner = await ctx.race([ctx.scheduleActivity(charge, order), ctx.scheduleTimer({ minutes: 5 })]);
   * if (winner.index === 0) return winner.value; // the receipt
   * ```
   */
  race<const T extends readonly RaceEntry<Status, Shown>[]>(
    entries: T,
    options?: RaceOptions,
  ): Task<RaceResult<T>>;

  /**
   * Registers what is to be done if the instance is cancelled from here on. The handler then stops at its current
   * `await`, its open calls are dropped, and the functions run, the last one first, before the instance fails as
   * cancelled. A second cancellation, for another reason, or `admin.terminate`, ends it without them. Dispose of the
   * result to withdraw it; continue-as-new and the end of the handler withdraw all.
   *
   * @example
   * ```ts
   * await ctx.scheduleActivity("reserve", order);
   * using _ = ctx.onCancel(async (ctx) => {
   *   await ctx.scheduleActivity("release", order, { retry: { maxAttempts: 5 } });
   * }, { timeout: { minutes: 2 } });
   * await ctx.scheduleActivity(charge, order);
   * ```
   */
  onCancel(cleanUp: CleanUpFunction<Status, Shown>, options?: OnCancelOptions): Disposable;

  /**
   * Whether the code of a change runs: `true` in executions that come to the first call for `id` with this code, which
   * record it; `false` in those that passed the place without it. The answer for an id is the same in the whole execution.
   * Any code may leave the call out again.
   *
   * @example
   * ```ts
   * if (ctx.patched("ask-for-consent")) await ctx.scheduleActivity("askForConsent", order);
   * await ctx.scheduleActivity(charge, order);
   * ```
   */
  patched(id: string): boolean;

  /**
   * Sets the named tags, by which lists find the instance, and removes those that are `undefined`; the others stay, also
   * across continue-as-new. Clients see them after the turn. A tag is a string of at most 256 bytes, a finite number, or
   * true or false; an instance has at most 16, with keys of at most 64 bytes. InvalidInputError or LimitExceededError
   * for others, and nothing is changed then. Writes no event, so code of running instances may add the call.
   *
   * @example
   * ```ts
   * ctx.setTags({ state: "paid", tenant: undefined });
   * ```
   */
  setTags(tags: TagChanges): void;

  /**
   * The key-value entries of this instance, which clients can read.
   *
   * @example
   * ```ts
   * ctx.kv.set(total, (ctx.kv.get(total) ?? 0) + order.cents);
   * ```
   */
  readonly kv: KeyValues;

  /** Writes each entry once: silent on replay. */
  readonly log: ContextLog;
}

/** The steps for one item of `map`, with the context of its branch. */
export type MapFunction<Item, T, Status = unknown, Shown = Stored<Status>> = (
  branch: OrchestrationContext<Status, Shown>,
  item: Item,
  index: number,
) => PromiseLike<T>;

/** Undoes what an orchestration has done. It uses the context that it is given. */
export type CleanUpFunction<Status = unknown, Shown = Stored<Status>> = (
  ctx: OrchestrationContext<Status, Shown>,
  reason: string,
) => PromiseLike<unknown>;

/** An entry of a race: a task, any promise, or a branch of several steps. */
export type RaceEntry<Status = unknown, Shown = Stored<Status>> =
  | PromiseLike<unknown>
  | BranchFunction<Status, Shown>;

/** An entry of `all` and `allSettled`: a task, any promise or value, or a branch of several steps. */
export type JoinEntry<Status = unknown, Shown = Stored<Status>> = BranchFunction<Status, Shown> | JoinValue;

/** A branch of several steps, with a context of its own. */
export type BranchFunction<Status = unknown, Shown = Stored<Status>> = (
  branch: OrchestrationContext<Status, Shown>,
) => PromiseLike<unknown>;

/**
 * An async function, or a generator whose `yield` is an `await`. TypeScript cannot infer the type of a `yield`:
 * annotate it, `const n: number = yield …`.
 */
export type OrchestrationHandler<Input, Output, Status = unknown, Shown = Stored<Status>> = (
  ctx: OrchestrationContext<Status, Shown>,
  input: Input,
) => Output | Promise<Output> | Generator<unknown, Output, never>;

/** An orchestration: its name, version and handler. Made by `orchestration`. */
export interface OrchestrationDefinition<
  Input,
  Output,
  Parsed = Input,
  Result = Stored<Output>,
  Status = unknown,
  Shown = Stored<Status>,
> {
  readonly kind: "orchestration";
  readonly name: string;
  readonly version: string;
  readonly schema: StandardSchema<Input, Parsed> | undefined;
  /** Applied to the stored result at callers and clients. */
  readonly result: StandardSchema<unknown, Result> | undefined;
  /** Applied to a custom status where it is set, and to the stored one where it is read. */
  readonly customStatus?: StandardSchema<Status, Shown> | undefined;
  readonly handler: OrchestrationHandler<Parsed, Output, Status, Shown>;
  readonly onDefect?: "block" | "fail" | undefined;
}

/** Any orchestration, whatever its types: for lists of handlers. */
// biome-ignore lint/suspicious/noExplicitAny: a list of definitions of different types has no other element type
export type AnyOrchestration = OrchestrationDefinition<any, any, any, any, any, any>;

/** The arguments of a call of a definition; any for a name. */
export type CallArgumentsOf<Callee extends AnyActivity | AnyOrchestration | string, Options> = CallArguments<
  InputOf<Callee>,
  Options
>;

/** The input of a definition; any for a name. */
export type InputOf<Callee extends AnyActivity | AnyOrchestration | string> =
  Callee extends ActivityDefinition<infer Input, infer _Output, infer _Parsed, infer _Result>
    ? Input
    : Callee extends OrchestrationDefinition<infer Input, infer _O, infer _P, infer _R, infer _S, infer _T>
      ? Input
      : unknown;

/** The result of a call of a definition; unknown for a name. */
export type ResultOf<Callee extends AnyActivity | AnyOrchestration | string> =
  Callee extends ActivityDefinition<infer _Input, infer _Output, infer _Parsed, infer Result>
    ? Result
    : Callee extends OrchestrationDefinition<infer _I, infer _O, infer _P, infer Result, infer _S, infer _T>
      ? Result
      : unknown;

/** The custom status of an orchestration as clients read it; unknown for a name. */
export type CustomStatusOf<Callee extends AnyOrchestration | string> =
  Callee extends OrchestrationDefinition<infer _I, infer _O, infer _P, infer _R, infer _S, infer Shown>
    ? Shown
    : unknown;
