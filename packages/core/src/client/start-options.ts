/** The options of `client.start`. */

import type { KeptEventDefinition, QueueDefinition } from "../define/definition-types.ts";
import type { Duration } from "../define/duration.ts";
import { checkLimitOptions, type LimitOptions } from "../define/limit-rules.ts";
import { nameFault } from "../define/limits.ts";
import { calleeName } from "../define/named.ts";
import type { AnyOrchestration, InputOf } from "../define/orchestration-context.ts";
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { checkOptions, type OptionList, optionList, shown } from "../options/option-list.ts";
import type { TagChanges } from "../wire/tags.ts";

/** How long a start is held back for further ones. */
export interface Debounce {
  /** Time without a further start. */
  readonly wait: Duration;
  /** Longest time since the first start; no limit by default. */
  readonly max?: Duration;
}

/** The options of a start. */
export interface StartOptions<Input> extends LimitOptions {
  /** 1 to 1,000 UTF-8 bytes. A random UUID by default. */
  readonly instanceId?: string;
  readonly input?: Input;
  /** Exactly this version; by default the runtime's policy decides. */
  readonly version?: string;
  /**
   * Effect of a start whose id is taken. `"reuse"`, the default: the existing instance continues, the handle refers to
   * it, and it receives the messages of this start; AlreadyExistsError if it is one of another orchestration. `"fail"`:
   * AlreadyExistsError. `"restart"`: an instance that has ended, of any orchestration, is deleted with its children and
   * started again; for a running instance AlreadyExistsError.
   */
  readonly ifExists?: "reuse" | "fail" | "restart";
  /**
   * Time after which, or date at which, the code begins; at once by default, and for a date that has passed. The instance
   * exists meanwhile as `Scheduled`: it keeps queue messages and kept events, and a cancellation ends it before its code
   * has run. The option has no effect if the start reuses an instance.
   *
   * @example
   * ```ts
   * const handle = await client.start(checkout, { instanceId: "order-42", input: order, after: { days: 3 } });
   * const status = await handle.status(); // { status: "Scheduled", startsAtMs: … }
   * ```
   */
  readonly after?: Duration | Date;
  /**
   * Holds the start back until no further one of this `instanceId` has come for `wait`, but at most until `max` after the
   * first; the input of the last one counts. `ifExists` decides then about an instance that exists. It needs an
   * `instanceId`, and takes no `after`, `timeout`, `raise` or `enqueue`.
   *
   * @example
   * ```ts
   * const debounce = { wait: { seconds: 30 }, max: { minutes: 5 } };
   * await client.start(checkout, { instanceId: "index-42", input: order, debounce, ifExists: "restart" });
   * ```
   */
  readonly debounce?: Debounce;
  /**
   * The instance fails with a TimeoutError if it has not ended by then, across restarts and continue-as-new; with `after`
   * the time counts from there. Its children are cancelled. No limit by default; the option has no effect if the start
   * reuses an instance.
   */
  readonly timeout?: Duration;
  /**
   * Identifies a start with `raise`, `enqueue`, `ifExists` or `timeout`, 1 to 200 characters: a repetition within at
   * least a day is executed once. By default a random id; a ProviderError has it.
   */
  readonly messageId?: string;
  /**
   * Tags by which lists find the instance from its first turn on, such as `{ tenant: "acme", priority: 3 }`: at most 16,
   * with the limits of `ctx.setTags`. An existing instance that the start reuses keeps its own.
   */
  readonly tags?: TagChanges;
}

/**
 * Messages that are stored with a start, in one commit: none is lost, and none arrives before the start. At most 50.
 */
export interface StartMessages<Events extends readonly unknown[], Messages extends readonly unknown[]> {
  /** Events that are kept until they are awaited: `event(name, { keep: true })`. */
  readonly raise?: readonly [...{ [K in keyof Events]: RaisedAtStart<Events[K]> }];
  readonly enqueue?: readonly [...{ [K in keyof Messages]: QueuedAtStart<Messages[K]> }];
}

/** An event of a start. */
export type RaisedAtStart<T> = { readonly event: KeptEventDefinition<T, unknown> } & EventData<NoInfer<T>>;

/** A queue message of a start. */
export type QueuedAtStart<T> = { readonly queue: QueueDefinition<T, unknown> | string } & MessageData<
  NoInfer<T>
>;

type EventData<T> = undefined extends T ? { readonly data?: T } : { readonly data: T };
type MessageData<T> = undefined extends T ? { readonly message?: T } : { readonly message: T };

/** The options of a start without the types of a definition. */
export type LooseStartOptions = StartOptions<unknown> & StartMessages<readonly unknown[], readonly unknown[]>;

/** The options may be left out only where the orchestration takes no input. */
export type StartArguments<
  O extends AnyOrchestration | string,
  Events extends readonly unknown[] = readonly unknown[],
  Messages extends readonly unknown[] = readonly unknown[],
> =
  undefined extends InputOf<O>
    ? [options?: StartOptions<InputOf<O>> & StartMessages<Events, Messages>]
    : [options: StartOptions<InputOf<O>> & { readonly input: InputOf<O> } & StartMessages<Events, Messages>];

const START_OPTIONS: OptionList = optionList<LooseStartOptions>({
  instanceId: true,
  input: true,
  version: true,
  ifExists: true,
  after: true,
  limit: true,
  priority: true,
  debounce: true,
  timeout: true,
  messageId: true,
  tags: true,
  raise: true,
  enqueue: true,
});
const RAISED: OptionList = optionList<RaisedAtStart<unknown>>({ event: true, data: true });
const QUEUED: OptionList = optionList<QueuedAtStart<unknown>>({ queue: true, message: true });

/** InvalidInputError for options that do not exist. */
export function checkStartOptions(options: LooseStartOptions): void {
  checkOptions("client.start", options, START_OPTIONS);
  const fault = nameFault("client.start: version", options.version);
  if (fault !== undefined) throw new InvalidInputError(fault);
  checkLimitOptions("client.start", options);
  if (options.debounce !== undefined) checkDebounce(options.debounce, options);
  if (options.raise !== undefined) checkMessages("raise", options.raise, RAISED);
  if (options.enqueue !== undefined) checkMessages("enqueue", options.enqueue, QUEUED);
}

const DEBOUNCE: OptionList = optionList<Debounce>({ wait: true, max: true });

function checkDebounce(debounce: Debounce, { instanceId, ...options }: LooseStartOptions): void {
  checkOptions("client.start: debounce", debounce, DEBOUNCE);
  if (debounce.wait === undefined)
    throw new InvalidInputError("client.start: debounce needs wait, such as { wait: { seconds: 30 } }");
  if (instanceId === undefined)
    throw new InvalidInputError(
      "client.start: debounce needs an instanceId, because starts of one id become one start",
    );
  const other = (["after", "timeout", "raise", "enqueue"] as const).find(
    (name) => options[name] !== undefined,
  );
  if (other !== undefined)
    throw new InvalidInputError(`client.start: debounce takes no ${other}; leave one of them out`);
}

function checkMessages(name: "raise" | "enqueue", messages: unknown, known: OptionList): void {
  if (!Array.isArray(messages)) {
    throw new InvalidInputError(`client.start: ${name} must be an array; got ${shown(messages)}`);
  }
  for (const [index, message] of messages.entries()) {
    checkOptions(`client.start: ${name}[${index}]`, message ?? null, known);
    const [channel, kind] = name === "raise" ? [message.event, "event"] : [message.queue, "queue"];
    calleeName(`client.start: ${name}[${index}]`, kind, channel);
  }
}
