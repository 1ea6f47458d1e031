/** A client's handle to one instance. */
import type { Clock, Random } from "../contract/clock.ts";
import type { InstanceStats, InstanceStatus, Provider, StartMessage } from "../contract/provider.ts";
import { type Blocked, hasEnded } from "../contract/status.ts";
import type {
  CallArguments,
  EventDefinition,
  KeyDefinition,
  QuestionDefinition,
  QueueDefinition,
} from "../define/definition-types.ts";
import { lengthFault, MAX_REASON_BYTES } from "../define/limits.ts";
import { calleeName, nameOf } from "../define/named.ts";
import { validateStored } from "../define/standard-schema.ts";
import { InvalidInputError, OrchestrationFailedError, TimeoutError } from "../errors/duroxide-error.ts";
import { checkClientCall } from "../guard/client-calls.ts";
import type { ClientSpans } from "../observe/client-spans.ts";
import { shown } from "../options/option-list.ts";
import type { NamingCodec } from "../payload/limited-codec.ts";
import type { HistoryEvent } from "../wire/event.ts";
import { isAnswerKey } from "../wire/question.ts";
import { SCHEDULE_PREFIX } from "../wire/scheduled.ts";
import { wholeInputs } from "../wire/shared-inputs.ts";
import { type AskOptions, answerOf, ask, checkAsk } from "./ask.ts";
import { encodeMessage, isKept } from "./channels.ts";
import { type CustomStatusOptions, checkedCustomStatus } from "./custom-status.ts";
import {
  failureOf,
  type KnownStatus,
  knownStatus,
  type OrchestrationStatus,
} from "./orchestration-status.ts";
import { scheduledStart } from "./scheduled-start.ts";
import { type Schemas, validated } from "./schemas.ts";
import {
  checkMessageId,
  checkSendOptions,
  type SendArguments,
  type SendOptions,
  sendMessage,
} from "./send-message.ts";
import { StreamingHandle } from "./streams/streaming-handle.ts";
import { unservedOf } from "./unserved-tags.ts";
import { checkWait, type WaitOptions, waitUntil } from "./wait.ts";

interface HandleSettings {
  readonly codec: NamingCodec;
  readonly clock: Clock;
  readonly random: Random;
  readonly spans: ClientSpans;
}

/** The instance, its schemas, and whether this handle's start has made it. */
interface HandleOf {
  readonly instanceId: string;
  readonly schemas: Schemas;
  readonly created: boolean;
}

/**
 * A client's handle to one instance: an id and the types of its output and custom status. It stays valid across continue-as-new.
 */
export class InstanceHandle<Output, Shown = unknown> extends StreamingHandle {
  /**
   * Whether the start that returned the handle has made the instance: its id was free. False for `client.handle`, and for
   * the repetition of a start with `ifExists: "reuse"`.
   */
  readonly created: boolean;
  readonly #unchecked: Provider;
  readonly #codec: NamingCodec;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #spans: ClientSpans;
  readonly #schemas: Schemas;

  constructor(
    provider: Provider,
    { codec, clock, random, spans }: HandleSettings,
    { instanceId, schemas, created }: HandleOf,
  ) {
    super(instanceId, provider, { codec, clock });
    this.created = created;
    this.#unchecked = provider;
    this.#codec = codec;
    this.#clock = clock;
    this.#random = random;
    this.#spans = spans;
    this.#schemas = schemas;
  }

  get #provider(): Provider {
    checkClientCall();
    return this.#unchecked;
  }

  /**
   * Waits until the instance ends: the output, or OrchestrationFailedError; TimeoutError if `timeout` passes first.
   *
   * @example
   * ```ts
   * const receipt = await handle.result({ timeout: { seconds: 30 }, signal: request.signal });
   * ```
   */
  async result(options: WaitOptions = {}): Promise<Output> {
    checkWait("result", options);
    const ended = await this.#wait(options, async (provider) => {
      const status = await provider.getInstanceStatus(this.instanceId);
      return hasEnded(status?.status) ? status : undefined;
    });
    if (ended.status === "Failed") throw new OrchestrationFailedError(this.instanceId, failureOf(ended));
    return this.#output(ended.output);
  }

  /**
   * The current status, read once. `NotFound` also while a start without `after` is stored but not processed, because no
   * runtime has fetched it yet, or none has the orchestration. In the second case `blocked` and the runtimes' log have the
   * reason.
   *
   * @example
   * ```ts
   * const status = await handle.status();
   * if (status.status === "Failed") console.error(status.message);
   * ```
   */
  async status(): Promise<OrchestrationStatus<Output, Shown>> {
    const status = await this.#provider.getInstanceStatus(this.instanceId);
    if (status !== undefined && hasEnded(status.status)) return this.#describe(status);
    const nowMs = this.#clock.now();
    const [blocked, queued] = await Promise.all([
      this.#blocked(status),
      status === undefined ? scheduledStart(this.#provider.admin, this.instanceId, nowMs) : undefined,
    ]);
    const found = blocked.length > 0 ? { blocked } : {};
    if (status === undefined) return { ...(queued ?? { status: "NotFound" }), ...found };
    return { ...this.#describe(status), ...found };
  }

  /** An instance that has not run a turn has no activities. */
  async #blocked(status: InstanceStatus | undefined): Promise<readonly Blocked[]> {
    const { admin } = this.#provider;
    const { instanceId } = this;
    const [{ blocked }, unserved] = await Promise.all([
      admin.listBlocked({ instanceId }),
      status === undefined ? [] : unservedOf(admin, instanceId),
    ]);
    return [...blocked, ...unserved];
  }

  /**
   * Sends an event. It is delivered only to a wait that is already open, unless the event is kept
   * (`event(name, { keep: true })`). NotDeliveredError for an instance that was never started (`not-found`) or has ended
   * (`ended`). A ProviderError has the `messageId` with which the call can be repeated.
   *
   * @example
   * ```ts
   * await handle.raise(approved, { by: "Ada" }, { messageId: "approval-17" });
   * ```
   */
  async raise<T>(
    event: EventDefinition<T, unknown> | string,
    ...[data, options]: SendArguments<T>
  ): Promise<void> {
    const name = calleeName("raise", "event", event);
    const encoded = encodeMessage(this.#codec, "raised-event", event, data);
    const { instanceId: instance } = this;
    const message = { instance, name, data: encoded };
    const item: StartMessage = isKept(event)
      ? { kind: "QueueMessage", ...message, kept_event: true }
      : { kind: "ExternalRaised", ...message };
    await this.#sendOnce("raise", name, item, options);
  }

  /**
   * Adds a message to the instance's queue, which keeps it until it is read or the instance ends. NotDeliveredError for
   * an instance that was never started (`not-found`) or has ended (`ended`). A ProviderError has the `messageId` with
   * which the call can be repeated.
   *
   * @example
   * ```ts
   * await handle.enqueue(lines, { sku: "A-1" });
   * ```
   */
  async enqueue<T>(
    queue: QueueDefinition<T, unknown> | string,
    ...[data, options]: SendArguments<T>
  ): Promise<void> {
    const name = calleeName("enqueue", "queue", queue);
    const encoded = encodeMessage(this.#codec, "queue-message", queue, data);
    const { instanceId: instance } = this;
    await this.#sendOnce("enqueue", name, { kind: "QueueMessage", instance, name, data: encoded }, options);
  }

  /**
   * Asks the running instance, which answers with `ctx.answer`, also while it waits for something else. Rejects with
   * QuestionError if it has ended, is unknown, suspended or blocked, or if its handler refuses; with TimeoutError if
   * `timeout` passes first. Repeat a question with its `messageId` to get the same answer within an hour.
   *
   * @example
   * ```ts
   * const sum = await handle.ask(price, { currency: "EUR" }, { timeout: { seconds: 5 } });
   * ```
   */
  async ask<Input, Result>(
    question: QuestionDefinition<Input, unknown, unknown, Result> | string,
    ...[input, options = {}]: CallArguments<Input, AskOptions>
  ): Promise<Result> {
    const name = calleeName("ask", "question", question);
    checkAsk(options);
    const text = encodeMessage(this.#codec, "question", question, input);
    const { instanceId } = this;
    const provider = this.#provider;
    if (this.#mayBeSchedule) await this.#refuseSchedule("ask");
    const messageId = options.messageId ?? this.#random.uuid();
    const asked = { question: name, messageId, askedAtMs: this.#clock.now() };
    const [codec, clock, sentAs] = [this.#codec, this.#clock, this.#random.uuid()];
    const stored = await this.#spans.around(`ask ${name}`, instanceId, () =>
      ask({ provider, clock, codec, instanceId, asked, sentAs }, text, options),
    );
    return answerOf(instanceId, question, stored) as Result;
  }

  /**
   * Fails the instance and its children with `canceled: <reason>` at its next turn.
   *
   * @example
   * ```ts
   * await handle.cancel("the customer changed their mind");
   * ```
   */
  async cancel(reason = ""): Promise<void> {
    if (typeof reason !== "string") {
      throw new InvalidInputError(`cancel: the reason must be a string; got ${shown(reason)}`);
    }
    const fault = lengthFault("cancel: the reason", reason, MAX_REASON_BYTES);
    if (fault !== undefined) throw new InvalidInputError(fault);
    const { instanceId: instance } = this;
    if (this.#mayBeSchedule) await this.#refuseSchedule("cancel");
    await this.#spans.around("cancel", instance, async () => {
      const item = { kind: "CancelInstance", instance, reason: reason.toWellFormed() } as const;
      await this.#provider.enqueueForOrchestrator(item);
    });
  }

  /**
   * Yields the current custom status and every new one until the instance ends. `afterVersion` leaves out statuses up
   * to this version: the `customStatusVersion` of an earlier `status()`.
   *
   * @example
   * ```ts
   * for await (const status of handle.customStatus({ timeout: { minutes: 5 } })) console.log(status);
   * ```
   */
  async *customStatus(options: CustomStatusOptions = {}): AsyncGenerator<Shown | undefined, void, undefined> {
    const { afterVersion, wait } = checkedCustomStatus(options);
    let seen = afterVersion;
    for (;;) {
      const status = await this.#wait(wait, async (provider) => {
        const current = await provider.getInstanceStatus(this.instanceId);
        if (current === undefined) return undefined;
        return current.customStatusVersion > seen || hasEnded(current.status) ? current : undefined;
      });
      if (status.customStatusVersion > seen) {
        seen = status.customStatusVersion;
        yield this.#describe(status).customStatus;
      }
      if (hasEnded(status.status)) return;
    }
  }

  /**
   * The KV entry as last committed; `undefined` for an absent key or instance. InvalidInputError if its schema rejects
   * it.
   *
   * @example
   * ```ts
   * const cents = await handle.get(total); // number | undefined
   * ```
   */
  async get<T = unknown>(key: KeyDefinition<unknown, T> | string): Promise<T | undefined> {
    const text = await this.#entry(nameOf("get", key));
    return text === undefined ? undefined : (this.#decode(key, text) as T);
  }

  async #entry(name: string): Promise<string | undefined> {
    return (await this.#provider.getKvValues(this.instanceId, name)).get(name);
  }

  /** All KV entries as last committed; empty for an unknown instance. */
  async entries(): Promise<ReadonlyMap<string, unknown>> {
    const entries = await this.#provider.getKvValues(this.instanceId);
    return new Map(
      [...entries].filter(([key]) => !isAnswerKey(key)).map(([key, text]) => [key, this.#codec.decode(text)]),
    );
  }

  /**
   * Waits until the entry exists.
   *
   * @example
   * ```ts
   * const cents = await handle.waitFor(total, { timeout: { seconds: 10 } });
   * ```
   */
  async waitFor<T = unknown>(key: KeyDefinition<unknown, T> | string, options: WaitOptions = {}): Promise<T> {
    checkWait("waitFor", options);
    const name = nameOf("waitFor", key);
    const text = await this.#wait(options, () => this.#entry(name));
    return this.#decode(key, text) as T;
  }

  /** Sizes of the current execution; `undefined` for an unknown instance. */
  stats(): Promise<InstanceStats | undefined> {
    return this.#provider.getInstanceStats(this.instanceId);
  }

  /**
   * The events of an execution, oldest first, with whole inputs; of the newest execution by default. Empty while the start
   * is not processed. `client.admin.timeline` has them as steps, `client.admin.executions` the numbers of executions.
   *
   * @example
   * ```ts
   * const calls = (await handle.history()).filter(({ type }) => type === "ActivityScheduled").length;
   * ```
   */
  async history(executionId?: number): Promise<readonly HistoryEvent[]> {
    return wholeInputs(await this.#provider.readHistory(this.instanceId, executionId));
  }

  async #sendOnce(
    method: "raise" | "enqueue",
    name: string,
    item: StartMessage,
    options: SendOptions = {},
  ): Promise<void> {
    checkSendOptions(method, options);
    const spanName = `${method} ${name}`;
    const { ifMissing = "fail" } = options;
    const messageId = checkMessageId(options.messageId ?? this.#random.uuid());
    if (this.#mayBeSchedule) await this.#refuseSchedule(method);
    await this.#spans.around(spanName, this.instanceId, () =>
      sendMessage(this.#provider, item, { messageId, ifMissing }),
    );
  }

  get #mayBeSchedule(): boolean {
    return this.instanceId.startsWith(SCHEDULE_PREFIX);
  }

  async #refuseSchedule(verb: string): Promise<void> {
    const { admin } = this.#provider;
    await (await import("./refuse-schedule.ts")).refuseSchedule(verb, admin, this.instanceId);
  }

  /**
   * A wait in vain says what the instance waits for, where the store knows that it is blocked. The looks get the
   * provider, so that the guard checks a wait once.
   */
  async #wait<T>(options: WaitOptions, look: (provider: Provider) => Promise<T | undefined>): Promise<T> {
    const provider = this.#provider;
    try {
      return await waitUntil(provider, this.#clock, this.instanceId, options, () => look(provider));
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      const [first] = await this.#readBlocked().catch(() => []);
      if (first === undefined) throw error;
      throw new TimeoutError(`${error.message}; it is blocked: ${first.detail}`);
    }
  }

  async #readBlocked(): Promise<readonly Blocked[]> {
    return this.#blocked(await this.#provider.getInstanceStatus(this.instanceId));
  }

  #describe(status: InstanceStatus): KnownStatus<Output, Shown> {
    const { customStatus: text } = status;
    const customStatus = text === null ? undefined : (this.#shown(text) as Shown);
    const nowMs = this.#clock.now();
    return knownStatus(status, { nowMs, customStatus, output: () => this.#output(status.output) });
  }

  #shown(text: string): unknown {
    return validated(this.#schemas, "customStatus", this.#codec.decode(text), this.instanceId);
  }

  #output(text: string | null): Output {
    // An absent text is not decoded, because "null" need not be a text of the codec.
    const value = text === null ? null : this.#codec.decode(text);
    return validated(this.#schemas, "result", value, this.instanceId) as Output;
  }

  #decode(key: KeyDefinition<unknown> | string, text: string): unknown {
    const value = this.#codec.decode(text);
    if (typeof key === "string" || key.schema === undefined) return value;
    return validateStored(key.schema, value, `"${key.name}"`);
  }
}
