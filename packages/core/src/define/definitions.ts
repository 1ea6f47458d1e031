/**
 * Definitions have a name and types: the name is stored, the types check every call. Names are explicit strings, never
 * the name of a function, because bundlers and minifiers change those.
 */

import { InvalidInputError } from "../errors/duroxide-error.ts";
import { choiceFault } from "../options/option-kinds.ts";
import { checkOptions, optionFault, optionList, shown } from "../options/option-list.ts";
import { parseSemver } from "../wire/version.ts";
import type {
  ActivityDefinition,
  ActivityDefinitionOptions,
  ActivityHandler,
  AnyActivity,
  EventDefinition,
  KeptEventDefinition,
  KeyDefinition,
  PayloadSchemas,
  QuestionDefinition,
  QueueDefinition,
} from "./definition-types.ts";
import { checkLimitKey } from "./limit-rules.ts";
import { nameFault } from "./limits.ts";
import type {
  AnyOrchestration,
  OrchestrationDefinition,
  OrchestrationHandler,
} from "./orchestration-context.ts";
import type { StandardSchema } from "./standard-schema.ts";
import type { Settled, StorableResult, Stored } from "./stored.ts";

export const DEFAULT_VERSION = "1.0.0";

/** The prefix of the runtime's internal activities. */
export const SYSTEM_CALL_PREFIX = "__duroxide_syscall:";

/**
 * Defines an activity. InvalidInputError for an empty or reserved name.
 *
 * @example
 * ```ts
 * const charge = activity("charge", async (ctx, order: { id: string; cents: number }) => {
 *   return pay(order.cents, { idempotencyKey: ctx.callKey, signal: ctx.signal });
 * });
 * ```
 */
export function activity<Input = void, Output = unknown>(
  name: string,
  handler: ActivityHandler<Input, Output> & StorableResult<Stored<Settled<Output>>>,
): ActivityDefinition<Input, Output>;
/**
 * Defines an activity whose input or result is validated, or whose calls have a limit. InvalidInputError for an empty or
 * reserved name.
 *
 * @example
 * ```ts
 * const charge = activity("charge", { input: z.object({ cents: z.number() }) }, async (_ctx, order) => pay(order.cents));
 * const callPartner = activity("callPartner", { limit: "partner" }, async (ctx, path: string) => fetch(path, { signal: ctx.signal }).then((answer) => answer.json()));
 * ```
 */
export function activity<Parsed = void, Input = Parsed, Output = unknown, Result = Stored<Output>>(
  name: string,
  options: ActivityDefinitionOptions<Input, Parsed, Result>,
  handler: ActivityHandler<Parsed, Output> & StorableResult<Settled<Result>>,
): ActivityDefinition<Input, Output, Parsed, Result>;
export function activity(
  name: string,
  ...rest: DefinitionArguments<AnyActivity["handler"], AnyActivityOptions>
) {
  const { options, handler } = readArguments("activity", ACTIVITY_OPTIONS, name, rest);
  if (name.startsWith(SYSTEM_CALL_PREFIX)) {
    throw new InvalidInputError(
      `activity names starting with "${SYSTEM_CALL_PREFIX}" are reserved; got "${name}"`,
    );
  }
  if (options.limit !== undefined) checkLimitKey(`activity "${name}": limit`, options.limit);
  return defineActivity(name, options, handler, false);
}

function defineActivity(
  name: string,
  options: AnyActivityOptions,
  handler: AnyActivity["handler"],
  isMock: boolean,
): AnyActivity {
  return {
    kind: "activity",
    name,
    schema: options.input,
    result: options.result,
    handler,
    limit: options.limit,
    isMock,
    mock(other) {
      checkHandler("activity", `the mock of activity "${name}"`, other);
      return defineActivity(name, options, other, true);
    },
  };
}

/** The version of an orchestration, and the validation of its input, result and custom status. */
export interface OrchestrationOptions<Input, Parsed, Result, Status = unknown, Shown = Stored<Status>>
  extends PayloadSchemas<Input, Parsed, Result> {
  /**
   * Checked where the code sets a custom status, and applied to the stored one where clients and code read it. Without a
   * schema, `ctx: OrchestrationContext<Progress>` in the handler gives it a type.
   */
  readonly customStatus?: StandardSchema<Status, Shown>;
  /** A semantic version, "1.0.0" by default. Several versions of one name may be registered together. */
  readonly version?: string;
  /**
   * Fate of an instance whose code has a mistake: a ReferenceError, TypeError, SyntaxError or RangeError of the language, or
   * a call that the determinism guard refuses, that the handler does not catch. By default it is blocked, with its turn as
   * if it had not begun, until corrected code is deployed ("block"); or it fails ("fail").
   */
  readonly onDefect?: "block" | "fail";
}

/**
 * Defines version 1.0.0 of an orchestration. InvalidInputError for an empty name or an async generator.
 *
 * @example
 * ```ts
 * const checkout = orchestration("checkout", async (ctx, order: { id: string; cents: number }) => {
 *   const receipt = await ctx.scheduleActivity(charge, order);
 *   await ctx.scheduleTimer({ days: 1 });
 *   return receipt;
 * });
 * ```
 */
export function orchestration<Input = void, Output = unknown, Status = unknown>(
  name: string,
  handler: OrchestrationHandler<Input, Output, Status> & StorableResult<Stored<Settled<Output>>>,
): OrchestrationDefinition<Input, Output, Input, Stored<Output>, Status>;
/**
 * Defines a version of an orchestration. InvalidInputError for an empty name or a bad version.
 *
 * @example
 * ```ts
 * // Running instances finish with the version that they started with.
 * const checkout2 = orchestration("checkout", { version: "2.0.0" }, async (ctx, order: { id: string; cents: number }) =>
 *   ctx.scheduleActivity(charge, order),
 * );
 * ```
 */
export function orchestration<
  Parsed = void,
  Input = Parsed,
  Output = unknown,
  Result = Stored<Output>,
  Status = unknown,
  Shown = Stored<Status>,
>(
  name: string,
  options: OrchestrationOptions<Input, Parsed, Result, Status, Shown>,
  handler: OrchestrationHandler<Parsed, Output, Status, Shown> & StorableResult<Settled<Result>>,
): OrchestrationDefinition<Input, Output, Parsed, Result, Status, Shown>;
export function orchestration(
  name: string,
  ...rest: DefinitionArguments<AnyOrchestration["handler"], AnyOptions>
): AnyOrchestration {
  const { options, handler } = readArguments("orchestration", ORCHESTRATION_OPTIONS, name, rest);
  const { version = DEFAULT_VERSION, input: schema, result, customStatus, onDefect } = options;
  if (typeof version !== "string" || parseSemver(version) === undefined) {
    throw new InvalidInputError(
      `orchestration "${name}": version must be a semantic version such as "2.0.0"; got ${shown(version)}`,
    );
  }
  checkSchema(`custom status of orchestration "${name}"`, customStatus);
  const fault = choiceFault(`orchestration "${name}": onDefect`, onDefect, ["block", "fail"]);
  if (fault !== undefined) throw new InvalidInputError(fault);
  return { kind: "orchestration", name, version, schema, result, customStatus, handler, onDefect };
}

/** How payloads of an event, queue or key are validated. */
export interface ChannelOptions<T> {
  /** Validator. A message that arrives and does not fit is set aside: no code sees it, and its wait stays open. */
  readonly schema?: StandardSchema<unknown, T>;
}

/** How payloads of an event are validated, and whether an arrival stays until it is awaited. */
export interface EventOptions<T> extends ChannelOptions<T> {
  /**
   * Arrivals are kept, in order, until they are awaited, so an arrival before the wait is not lost. The store keeps
   * such an event as a queue of its name, so waits and senders must use the same definition. False by default.
   */
  readonly keep?: boolean;
}

/** A definition without a schema: a received value has the type of its stored JSON. */
type Unchecked = { readonly schema?: never };

/**
 * Defines an event whose arrivals stay until they are awaited. Waits and senders must both use this definition.
 * InvalidInputError for an empty name.
 *
 * @example
 * ```ts
 * const approved = event<{ by: string }>("approved", { keep: true });
 * ```
 */
export function event<T>(name: string, options: Unchecked & { readonly keep: true }): KeptEventDefinition<T>;
/** Defines a kept event whose payload is validated. InvalidInputError for an empty name. */
export function event<T>(
  name: string,
  options: EventOptions<T> & { readonly keep: true },
): KeptEventDefinition<T, T>;
/**
 * Defines an event: `waitForEvent` takes it, `raise` sends it. InvalidInputError for an empty name.
 *
 * @example
 * ```ts
 * const stop = event<void>("stop"); // lost where nothing waits for it
 * ```
 */
export function event<T>(name: string, options?: Unchecked & EventOptions<T>): EventDefinition<T>;
/** Defines an event whose payload is validated. InvalidInputError for an empty name. */
export function event<T>(name: string, options: EventOptions<T>): EventDefinition<T, T>;
export function event(name: string, options?: EventOptions<unknown>): EventDefinition<unknown> {
  const schema = channelSchema("event", checkName("event", name), options, EVENT_OPTIONS);
  const keep: unknown = options?.keep ?? false;
  if (typeof keep === "boolean") return { kind: "event", name, schema, keep };
  throw new InvalidInputError(`event "${name}": keep must be true or false; got ${shown(keep)}`);
}

/**
 * Defines a queue: `dequeue` reads it, `enqueue` sends to it. InvalidInputError for an empty name.
 *
 * @example
 * ```ts
 * const lines = queue<{ sku: string }>("lines");
 * ```
 */
export function queue<T>(name: string): QueueDefinition<T>;
/** Defines a queue whose messages are validated. InvalidInputError for an empty name. */
export function queue<T>(name: string, options: ChannelOptions<T>): QueueDefinition<T, T>;
export function queue(name: string, options?: ChannelOptions<unknown>): QueueDefinition<unknown> {
  return { kind: "queue", name: checkName("queue", name), schema: channelSchema("queue", name, options) };
}

/**
 * Defines a KV entry: `ctx.kv` sets and gets it, `get` and `waitFor` of a handle read it.
 *
 * @example
 * ```ts
 * const total = key<number>("total");
 * ```
 */
export function key<T>(name: string): KeyDefinition<T>;
/** Defines a KV entry that is validated. */
export function key<T>(name: string, options: ChannelOptions<T>): KeyDefinition<T, T>;
export function key(name: string, options?: ChannelOptions<unknown>): KeyDefinition<unknown> {
  if (typeof name !== "string") throw noName("key", name);
  refuseFaulty("key", name);
  return { kind: "key", name, schema: channelSchema("key", name, options) };
}

/**
 * Defines a question: `ctx.answer` answers it, `ask` of a handle asks it. InvalidInputError for an empty or reserved name.
 *
 * @example
 * ```ts
 * const price = question<{ currency: string }, number>("price");
 * ```
 */
export function question<Input = void, Output = unknown>(name: string): QuestionDefinition<Input, Output>;
/** Defines a question whose input or answer is validated. */
export function question<Parsed = void, Input = Parsed, Output = unknown, Result = Stored<Output>>(
  name: string,
  options: PayloadSchemas<Input, Parsed, Result>,
): QuestionDefinition<Input, Output, Parsed, Result>;
export function question(
  name: string,
  options?: AnySchemas,
): QuestionDefinition<unknown, unknown, unknown, unknown> {
  const subject = `question "${checkName("question", name)}"`;
  checkOptions(subject, options, QUESTION_OPTIONS);
  checkSchema(`input of ${subject}`, options?.input);
  checkSchema(`result of ${subject}`, options?.result);
  return { kind: "question", name, schema: options?.input, result: options?.result };
}

// biome-ignore-start lint/suspicious/noExplicitAny: a list of definitions of different types has no other element type
type AnySchemas = PayloadSchemas<any, any, any>;
type AnyActivityOptions = ActivityDefinitionOptions<any, any, any>;
type AnyOptions = OrchestrationOptions<any, any, any, any, any>;
// biome-ignore-end lint/suspicious/noExplicitAny: see above

type DefinitionArguments<Handler, Options> = [handler: Handler] | [options: Options, handler: Handler];

const OF_CALLS = "retry and timeout are options of ctx.scheduleActivity";
const QUESTION_OPTIONS = optionList<AnySchemas>({ input: true, result: true });
const ACTIVITY_OPTIONS = optionList<AnyActivityOptions>({ input: true, result: true, limit: true });
const ORCHESTRATION_OPTIONS = optionList<AnyOptions>({
  version: true,
  input: true,
  result: true,
  customStatus: true,
  onDefect: true,
});
const CHANNEL_OPTIONS = optionList<ChannelOptions<unknown>>({ schema: true });
const EVENT_OPTIONS = optionList<EventOptions<unknown>>({ schema: true, keep: true });

function readArguments<Handler extends object, Options extends AnySchemas>(
  what: "activity" | "orchestration",
  known: ReadonlySet<string>,
  name: string,
  rest: DefinitionArguments<Handler, Options>,
): { readonly options: Partial<Options>; readonly handler: Handler } {
  const [options, handler]: [Partial<Options>, Handler] = rest.length === 1 ? [{}, rest[0]] : rest;
  const subject = `${what} "${checkName(what, name)}"`;
  checkHandler(what, subject, handler);
  const fault = optionFault(subject, options, known);
  if (fault !== undefined) throw new InvalidInputError(what === "activity" ? `${fault}. ${OF_CALLS}` : fault);
  checkSchema(`input of ${subject}`, options.input);
  checkSchema(`result of ${subject}`, options.result);
  return { options, handler };
}

function channelSchema(
  what: string,
  name: string,
  options: ChannelOptions<unknown> | undefined,
  known: ReadonlySet<string> = CHANNEL_OPTIONS,
): StandardSchema | undefined {
  checkOptions(`${what} "${name}"`, options, known);
  checkSchema(`schema of ${what} "${name}"`, options?.schema);
  return options?.schema;
}

function checkSchema(subject: string, schema: StandardSchema | undefined): void {
  if (schema === undefined || typeof schema?.["~standard"]?.validate === "function") return;
  throw new InvalidInputError(
    `${subject}: give a validator of the Standard Schema interface, such as one of zod; got ${shown(schema)}`,
  );
}

function checkName(what: string, name: unknown): string {
  if (typeof name !== "string" || name === "") throw noName(what, name);
  refuseFaulty(what, name);
  return name;
}

/** InvalidInputError for a name that is reserved, too long or cannot be stored. */
function refuseFaulty(what: string, name: string): void {
  const fault = nameFault(`${what}: the name`, name);
  if (fault !== undefined) throw new InvalidInputError(fault);
}

function noName(what: string, name: unknown): InvalidInputError {
  return new InvalidInputError(
    `${what}: the first argument is its name, a string that is not empty; got ${shown(name)}`,
  );
}

function checkHandler(what: "activity" | "orchestration", subject: string, handler: object): void {
  if (typeof handler !== "function") {
    throw new InvalidInputError(
      `${subject}: the last argument is its handler, a function; got ${shown(handler)}`,
    );
  }
  checkNoGenerator(what, subject, handler);
  checkNoClass(subject, handler);
}

/** The runtime does not iterate async generators, and without iteration none of their code runs. */
function checkNoGenerator(what: "activity" | "orchestration", subject: string, handler: object): void {
  const tag = Object.prototype.toString.call(handler);
  const isAsync = tag === "[object AsyncGeneratorFunction]";
  if (!isAsync && !(what === "activity" && tag === "[object GeneratorFunction]")) return;
  const also = what === "orchestration" ? ", or a generator without async, in which a yield is an await" : "";
  throw new InvalidInputError(
    `${subject}: its handler is ${isAsync ? "an async" : "a"} generator, of which nothing would run. ` +
      `Write an async function${also}`,
  );
}

/** A class cannot be called without `new`, so each run would fail. */
function checkNoClass(subject: string, handler: object): void {
  if (!/^class\b/.test(Function.prototype.toString.call(handler))) return;
  throw new InvalidInputError(
    `${subject}: its handler is a class; pass a function, such as (ctx, input) => worker.run(input)`,
  );
}
