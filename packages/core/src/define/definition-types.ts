/** The types of definitions, except orchestrations: those are defined with the context that they take. */
import type { ActivityContext } from "./activity-context.ts";
import type { StandardSchema } from "./standard-schema.ts";
import type { Stored } from "./stored.ts";

/** Does the work. Runs at least once; the caller gets a thrown error as ActivityFailedError. */
export type ActivityHandler<Input, Output> = (ctx: ActivityContext, input: Input) => Output | Promise<Output>;

/** `Input` is the type that callers pass, `Parsed` the validated input, `Result` the type that callers get. */
export interface ActivityDefinition<Input, Output, Parsed = Input, Result = Stored<Output>> {
  readonly kind: "activity";
  readonly name: string;
  readonly schema: StandardSchema<Input, Parsed> | undefined;
  /** Applied to the stored result at the caller. */
  readonly result: StandardSchema<unknown, Result> | undefined;
  readonly handler: ActivityHandler<Parsed, Output>;
  /** The key of its limits, for calls that name none. */
  readonly limit: string | undefined;
  /** Whether it was made by `mock`. */
  readonly isMock: boolean;
  /**
   * The same activity with another handler, for tests.
   *
   * @example
   * ```ts
   * const declined = charge.mock(async () => {
   *   throw new Error("declined");
   * });
   * ```
   */
  mock(handler: ActivityHandler<Parsed, Output>): ActivityDefinition<Input, Output, Parsed, Result>;
}

/** How the input and the result of a definition are validated. Any Standard Schema validator fits. */
export interface PayloadSchemas<Input, Parsed, Result> {
  /** Checked at the call, applied before the handler runs. */
  readonly input?: StandardSchema<Input, Parsed>;
  /** Applied to the stored result where the call is awaited: it may convert a string back to a Date. */
  readonly result?: StandardSchema<unknown, Result>;
}

/** How the payloads of an activity are validated, and how its calls are held back. */
export interface ActivityDefinitionOptions<Input, Parsed, Result>
  extends PayloadSchemas<Input, Parsed, Result> {
  /** Key whose limits hold its calls back, such as `"partner"`; that of a call takes its place (docs/guide/21-limits.md). */
  readonly limit?: string;
}

/**
 * A named payload: positional event, persistent queue or KV key. `T` is the type that is sent or set, `Received` the
 * type that is received or read.
 */
interface Channel<Kind extends string, T, Received> {
  readonly kind: Kind;
  readonly name: string;
  readonly schema: StandardSchema<T, Received> | undefined;
}

/** A signal: `waitForEvent` gets an arrival only if the wait was already open, unless the event is kept. */
export interface EventDefinition<T, Received = Stored<T>> extends Channel<"event", T, Received> {
  /** Whether arrivals stay until they are awaited. */
  readonly keep: boolean;
}
/** An event whose arrivals stay until they are awaited. */
export interface KeptEventDefinition<T, Received = Stored<T>> extends EventDefinition<T, Received> {
  readonly keep: true;
}
/** A FIFO queue whose messages stay until they are read. */
export type QueueDefinition<T, Received = Stored<T>> = Channel<"queue", T, Received>;
/** An entry of the instance's key-value store. */
export type KeyDefinition<T, Received = Stored<T>> = Channel<"key", T, Received>;

/** A question that clients ask a running instance. `Parsed` is what the handler gets, `Result` what the asker gets. */
export interface QuestionDefinition<Input, Output, Parsed = Input, Result = Stored<Output>> {
  readonly kind: "question";
  readonly name: string;
  readonly schema: StandardSchema<Input, Parsed> | undefined;
  /** Applied to the stored answer at the asker. */
  readonly result: StandardSchema<unknown, Result> | undefined;
  /** Never set; it has the type of what the handler returns. */
  readonly "~output"?: Output;
}

/** Any activity, whatever its types: for lists of handlers. */
// biome-ignore lint/suspicious/noExplicitAny: a list of definitions of different types has no other element type
export type AnyActivity = ActivityDefinition<any, any, any, any>;

/** The input of a call: optional where the definition takes none. */
export type CallArguments<Input, Options> = undefined extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options];
