/**
 * Definitions carry a name and types: the name goes on the wire, the types check every call. Names are explicit
 * strings, never taken from a function, so that code survives bundlers and minifiers.
 */
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { parseSemver } from "../wire/version.ts";
import type { ActivityContext } from "./activity-context.ts";
import type { OrchestrationContext } from "./orchestration-context.ts";
import type { StandardSchema } from "./standard-schema.ts";

export const DEFAULT_VERSION = "1.0.0";

/** Activities with this prefix are the runtime's own. */
export const SYSTEM_CALL_PREFIX = "__duroxide_syscall:";

/** Does the work. Runs at least once; what it throws becomes ActivityFailedError for the caller. */
export type ActivityHandler<Input, Output> = (ctx: ActivityContext, input: Input) => Output | Promise<Output>;

/** `Input` is what callers pass, `Parsed` what the handler gets after validation. */
export interface ActivityDefinition<Input, Output, Parsed = Input> {
  readonly kind: "activity";
  readonly name: string;
  readonly schema: StandardSchema<Input, Parsed> | undefined;
  readonly handler: ActivityHandler<Parsed, Output>;
  /** Whether it was made by `mock`. */
  readonly isMock: boolean;
  /** The same activity with another handler, for tests. */
  mock(handler: ActivityHandler<Parsed, Output>): ActivityDefinition<Input, Output, Parsed>;
}

/** How the input of a definition is validated. */
export interface InputOption<Input, Parsed> {
  /** Any Standard Schema validator. Checked where the call is made, applied where the handler runs. */
  readonly input: StandardSchema<Input, Parsed>;
}

/** Defines an activity. InvalidInputError for an empty or reserved name. */
export function activity<Input, Output>(
  name: string,
  handler: ActivityHandler<Input, Output>,
): ActivityDefinition<Input, Output>;
/** Defines an activity whose input is validated. InvalidInputError for an empty or reserved name. */
export function activity<Input, Parsed, Output>(
  name: string,
  options: InputOption<Input, Parsed>,
  handler: ActivityHandler<Parsed, Output>,
): ActivityDefinition<Input, Output, Parsed>;
export function activity<Input, Parsed, Output>(
  name: string,
  ...rest:
    | [handler: ActivityHandler<Parsed, Output>]
    | [options: Partial<InputOption<Input, Parsed>>, handler: ActivityHandler<Parsed, Output>]
): ActivityDefinition<Input, Output, Parsed> {
  const [options, handler] = rest.length === 1 ? [{}, rest[0]] : rest;
  checkName("activity", name);
  if (name.startsWith(SYSTEM_CALL_PREFIX)) {
    throw new InvalidInputError(
      `activity names starting with "${SYSTEM_CALL_PREFIX}" are reserved; got "${name}"`,
    );
  }
  checkHandler("activity", name, handler);
  return defineActivity(name, options.input, handler, false);
}

function defineActivity<Input, Parsed, Output>(
  name: string,
  schema: StandardSchema<Input, Parsed> | undefined,
  handler: ActivityHandler<Parsed, Output>,
  isMock: boolean,
): ActivityDefinition<Input, Output, Parsed> {
  const mock = (other: ActivityHandler<Parsed, Output>): ActivityDefinition<Input, Output, Parsed> =>
    defineActivity(name, schema, other, true);
  return { kind: "activity", name, schema, handler, isMock, mock };
}

/**
 * An async function, or a generator whose `yield` is an `await`. The compiler cannot tell what a `yield` gives:
 * annotate it, `const n: number = yield …`.
 */
export type OrchestrationHandler<Input, Output> = (
  ctx: OrchestrationContext,
  input: Input,
) => Output | Promise<Output> | Generator<unknown, Output, never>;

/** An orchestration: its name and version, and what it runs. Made by `orchestration`. */
export interface OrchestrationDefinition<Input, Output, Parsed = Input> {
  readonly kind: "orchestration";
  readonly name: string;
  readonly version: string;
  readonly schema: StandardSchema<Input, Parsed> | undefined;
  readonly handler: OrchestrationHandler<Parsed, Output>;
}

/** Which version of an orchestration is defined. */
export interface VersionOption {
  /** A semantic version, "1.0.0" by default. Several versions of one name may be registered together. */
  readonly version?: string;
}

/** Defines version 1.0.0 of an orchestration. InvalidInputError for an empty name or an async generator. */
export function orchestration<Input, Output>(
  name: string,
  handler: OrchestrationHandler<Input, Output>,
): OrchestrationDefinition<Input, Output>;
/** Defines an orchestration whose input is validated. InvalidInputError for an empty name or a bad version. */
export function orchestration<Input, Parsed, Output>(
  name: string,
  options: VersionOption & InputOption<Input, Parsed>,
  handler: OrchestrationHandler<Parsed, Output>,
): OrchestrationDefinition<Input, Output, Parsed>;
/** Defines a version of an orchestration. InvalidInputError for an empty name or a bad version. */
export function orchestration<Input, Output>(
  name: string,
  options: VersionOption,
  handler: OrchestrationHandler<Input, Output>,
): OrchestrationDefinition<Input, Output>;
export function orchestration<Input, Parsed, Output>(
  name: string,
  ...rest:
    | [handler: OrchestrationHandler<Parsed, Output>]
    | [
        options: VersionOption & Partial<InputOption<Input, Parsed>>,
        handler: OrchestrationHandler<Parsed, Output>,
      ]
): OrchestrationDefinition<Input, Output, Parsed> {
  const [options, handler] = rest.length === 1 ? [{}, rest[0]] : rest;
  const version = options.version ?? DEFAULT_VERSION;
  checkName("orchestration", name);
  checkHandler("orchestration", name, handler);
  checkNoAsyncGenerator(name, handler);
  if (parseSemver(version) === undefined) {
    throw new InvalidInputError(
      `orchestration "${name}": version must be a semantic version such as "2.0.0"; got "${version}"`,
    );
  }
  return { kind: "orchestration", name, version, schema: options.input, handler };
}

/** A named payload of one type: positional event, persistent queue or KV key. */
interface Channel<Kind extends string, T> {
  readonly kind: Kind;
  readonly name: string;
  readonly schema: StandardSchema<unknown, T> | undefined;
}

/** How payloads of an event, queue or key are validated. */
export interface ChannelOptions<T> {
  readonly schema?: StandardSchema<unknown, T>;
}

/** A signal: `waitForEvent` gets an arrival only if it was already waiting, unless the event is kept. */
export interface EventDefinition<T> extends Channel<"event", T> {
  /** Whether arrivals stay until they are awaited. */
  readonly keep: boolean;
}
/** An event whose arrivals stay until they are awaited. */
export interface KeptEventDefinition<T> extends EventDefinition<T> {
  readonly keep: true;
}
/** A FIFO queue whose messages stay until they are read. */
export type QueueDefinition<T> = Channel<"queue", T>;
/** An entry of the instance's key-value store. */
export type KeyDefinition<T> = Channel<"key", T>;

/** How payloads of an event are validated, and whether an arrival stays until it is awaited. */
export interface EventOptions<T> extends ChannelOptions<T> {
  /**
   * Arrivals stay, in order, until they are awaited: nothing is lost that came before the wait. Such an event is a
   * queue of its name in the store, so waits and senders must agree on it. False by default.
   */
  readonly keep?: boolean;
}

/**
 * Defines an event whose arrivals stay until they are awaited. Waits and senders must both use this definition.
 * InvalidInputError for an empty name.
 */
export function event<T>(
  name: string,
  options: EventOptions<T> & { readonly keep: true },
): KeptEventDefinition<T>;
/** Defines an event: `waitForEvent` takes it, `raise` sends it. InvalidInputError for an empty name. */
export function event<T>(name: string, options?: EventOptions<T>): EventDefinition<T>;
export function event<T>(name: string, { schema, keep = false }: EventOptions<T> = {}): EventDefinition<T> {
  checkName("event", name);
  return { kind: "event", name, schema, keep };
}

/** Defines a queue: `dequeue` reads it, `enqueue` sends to it. InvalidInputError for an empty name. */
export function queue<T>(name: string, options: ChannelOptions<T> = {}): QueueDefinition<T> {
  checkName("queue", name);
  return { kind: "queue", name, schema: options.schema };
}

/** Defines a KV entry: `set` and `get` in the orchestration, `get` and `waitFor` at a client. */
export function key<T>(name: string, options: ChannelOptions<T> = {}): KeyDefinition<T> {
  return { kind: "key", name, schema: options.schema };
}

// biome-ignore-start lint/suspicious/noExplicitAny: a list of definitions of different types has no other element type
/** Any activity, whatever its types: for lists of handlers. */
export type AnyActivity = ActivityDefinition<any, any, any>;
/** Any orchestration, whatever its types: for lists of handlers. */
export type AnyOrchestration = OrchestrationDefinition<any, any, any>;
// biome-ignore-end lint/suspicious/noExplicitAny: see above

/** The input of a call: optional where the definition takes none. */
export type CallArguments<Input, Options> = undefined extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options];

function checkName(what: string, name: unknown): void {
  if (typeof name !== "string" || name === "") {
    throw new InvalidInputError(`${what}: the first argument is its name, a string that is not empty`);
  }
}

/** Nothing of an async generator runs until somebody iterates it, and nobody does. */
function checkNoAsyncGenerator(name: string, handler: object): void {
  if (Object.prototype.toString.call(handler) !== "[object AsyncGeneratorFunction]") return;
  throw new InvalidInputError(
    `orchestration "${name}": its handler is an async generator, of which nothing would run. ` +
      "Write an async function, or a generator without async, in which a yield is an await",
  );
}

function checkHandler(what: string, name: string, handler: unknown): void {
  if (typeof handler !== "function") {
    throw new InvalidInputError(`${what} "${name}": the last argument is its handler, a function`);
  }
}
