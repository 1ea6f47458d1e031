/** A handle to one instance over HTTP. */
import {
  type AskOptions,
  type CallArguments,
  type CustomStatusOptions,
  calleeName,
  checkedCustomStatus,
  checkMessageId,
  checkSendOptions,
  checkWait,
  type EventDefinition,
  encodeMessage,
  hasEnded,
  jsonCodec,
  type MessageChannel,
  NotDeliveredError,
  type OrchestrationStatus,
  type PayloadKind,
  type ProgressOfStep,
  type QuestionDefinition,
  type QueueDefinition,
  type Schemas,
  type SendArguments,
  type SendOptions,
  type StreamDefinition,
  systemRandom,
  TimeoutError,
  validated,
  validateStored,
  type WaitOptions,
} from "@duroxide-ts/core/browser";
import { waitText } from "../wire/wait-text.ts";
import type { AnyHandle, ReadingOptions } from "./any-client.ts";
import { HttpReading } from "./http-reading.ts";
import { type Answered, type Asked, send, type Transport } from "./transport.ts";
import { unsupported } from "./unsupported.ts";
import { type Look, waitUntil } from "./waits.ts";

interface HandleOf {
  readonly schemas: Schemas;
  readonly instanceId: string;
  readonly created: boolean;
}

/** A handle to one instance over HTTP. It has the calls of `InstanceHandle`; those without a route reject with `unsupported`. */
export class HttpHandle<Output, Shown = unknown> implements AnyHandle<Output, Shown> {
  readonly instanceId: string;
  /** Whether the start that returned the handle has made the instance. */
  readonly created: boolean;
  readonly #transport: Transport;
  readonly #schemas: Schemas;

  constructor(transport: Transport, { instanceId, created, schemas }: HandleOf) {
    this.instanceId = instanceId;
    this.created = created;
    this.#transport = transport;
    this.#schemas = schemas;
  }

  /** Waits until the instance ends: the output, or OrchestrationFailedError; TimeoutError if `timeout` passes first. */
  async result(options: WaitOptions = {}): Promise<Output> {
    checkWait("result", options);
    const { value } = await this.#wait(options, async ({ holdMs, signal }) => {
      const query = { wait: waitText(holdMs) };
      const answered = await this.#get("result", { path: ["result"], query, waitMs: holdMs, signal });
      return answered.status === 200 ? answered : undefined;
    });
    return this.#output(value);
  }

  /** The current status, read once. */
  async status(): Promise<OrchestrationStatus<Output, Shown>> {
    try {
      const { value } = await this.#get("status", { path: [] });
      return this.#described(value);
    } catch (error) {
      if (NotDeliveredError.is(error, "not-found")) return { status: "NotFound" };
      throw error;
    }
  }

  /** Sends an event, as `InstanceHandle.raise` does. */
  async raise<T>(
    event: EventDefinition<T, unknown> | string,
    ...[data, options]: SendArguments<T>
  ): Promise<void> {
    const name = calleeName("raise", "event", event);
    const keep = typeof event !== "string" && event.keep === true;
    await this.#deliver("raise", ["events", name], options, {
      body: bodyOf(event, "raised-event", data),
      query: keep ? { keep: "true" } : {},
    });
  }

  /** Adds a message to a queue, as `InstanceHandle.enqueue` does. */
  async enqueue<T>(
    queue: QueueDefinition<T, unknown> | string,
    ...[data, options]: SendArguments<T>
  ): Promise<void> {
    const name = calleeName("enqueue", "queue", queue);
    await this.#deliver("enqueue", ["queues", name], options, {
      body: bodyOf(queue, "queue-message", data),
      query: {},
    });
  }

  /** Asks the running instance, as `InstanceHandle.ask` does. */
  async ask<Input, Result>(
    question: QuestionDefinition<Input, unknown, unknown, Result> | string,
    ...[input, options = {}]: CallArguments<Input, AskOptions>
  ): Promise<Result> {
    const name = calleeName("ask", "question", question);
    const { messageId = systemRandom.uuid(), ...wait } = options;
    checkWait("ask", wait);
    checkMessageId(messageId);
    const body = bodyOf(question, "question", input);
    const look = async ({ holdMs, signal }: Look): Promise<Answered | undefined> => {
      const asked = this.#once(messageId, { wait: waitText(holdMs) });
      const path = ["ask", name];
      return this.#post("ask", { path, ...asked, ...body, waitMs: holdMs, signal }).catch(
        (error: unknown) => {
          // Asked again under the same id, the instance gives the answer that it has given meanwhile.
          if (TimeoutError.is(error)) return undefined;
          throw error;
        },
      );
    };
    const { value } = await this.#wait(wait, look, false);
    const isValidated = typeof question !== "string" && question.result !== undefined;
    return (
      isValidated ? validateStored(question.result, value, `answer to question "${name}"`) : value
    ) as Result;
  }

  /** Asks the instance to end. Rejects with NotDeliveredError (`not-found`) for an unknown one. */
  async cancel(reason = ""): Promise<void> {
    const body = JSON.stringify({ reason });
    await this.#post("cancel", { path: ["cancel"], body }).catch((error: unknown) => {
      // A cancellation of what has ended has no effect in a Client.
      if (!NotDeliveredError.is(error, "ended")) throw error;
    });
  }

  /** Yields the current custom status and every new one until the instance ends. */
  async *customStatus(options: CustomStatusOptions = {}): AsyncGenerator<Shown | undefined, void, undefined> {
    const { afterVersion, wait } = checkedCustomStatus(options);
    let seen = afterVersion;
    for (;;) {
      const found = await this.#wait(wait, async ({ holdMs, signal }) => {
        const query = { wait: waitText(holdMs), customStatusAfter: String(seen) };
        const { value } = await this.#get("customStatus", { path: [], query, waitMs: holdMs, signal });
        const status = this.#described(value);
        return hasEnded(status.status) || versionOf(status) > seen ? status : undefined;
      });
      if (versionOf(found) > seen) {
        seen = versionOf(found);
        yield "customStatus" in found ? found.customStatus : undefined;
      }
      if (hasEnded(found.status)) return;
    }
  }

  /** Reads a stream of the instance, as `InstanceHandle.stream` does; after a failure of the network it goes on. */
  stream<T = unknown>(
    stream: StreamDefinition<never, T> | string,
    options: ReadingOptions = {},
  ): HttpReading<T> {
    const name = calleeName("stream", "stream", stream);
    const source = { transport: this.#transport, instanceId: this.instanceId, stream: name };
    return new HttpReading<T>(source, options);
  }

  /** Returns what the activities and steps of the instance have reported last, the latest first. */
  async progress(): Promise<readonly ProgressOfStep[]> {
    const { value } = await this.#get("progress", { path: ["progress"] });
    return value as readonly ProgressOfStep[];
  }

  /** Needs the store: ProviderError `unsupported`. */
  get(): Promise<never> {
    return Promise.reject(unsupported("handle.get"));
  }

  /** Needs the store: ProviderError `unsupported`. */
  entries(): Promise<never> {
    return Promise.reject(unsupported("handle.entries"));
  }

  /** Needs the store: ProviderError `unsupported`. */
  waitFor(): Promise<never> {
    return Promise.reject(unsupported("handle.waitFor"));
  }

  /** Needs the store: ProviderError `unsupported`. */
  stats(): Promise<never> {
    return Promise.reject(unsupported("handle.stats"));
  }

  /** Needs the store: ProviderError `unsupported`. */
  history(): Promise<never> {
    return Promise.reject(unsupported("handle.history"));
  }

  /** Needs the store: ProviderError `unsupported`. */
  streams(): Promise<never> {
    return Promise.reject(unsupported("handle.streams"));
  }

  async #deliver(
    operation: string,
    path: readonly string[],
    options: SendOptions = {},
    { body, query }: { readonly body: Body; readonly query: Readonly<Record<string, string>> },
  ): Promise<void> {
    checkSendOptions(operation as "raise" | "enqueue", options);
    const { ifMissing, messageId = systemRandom.uuid() } = options;
    checkMessageId(messageId);
    const kept = ifMissing === undefined ? query : { ...query, ifMissing };
    await this.#post(operation, { path, ...this.#once(messageId, kept), ...body });
  }

  /** A header has no room for every character, so other ids stand in the address. */
  #once(messageId: string, query: Readonly<Record<string, string>>): Pick<Asked, "headers" | "query"> {
    const fits = /^[!#-~](?:[ -~]*[!-~])?$/.test(messageId);
    return fits ? { headers: { "idempotency-key": messageId }, query } : { query: { ...query, messageId } };
  }

  #get(operation: string, asked: Omit<Asked, "operation" | "method">): Promise<Answered> {
    return this.#send({ ...asked, operation, method: "GET" });
  }

  #post(operation: string, asked: Omit<Asked, "operation" | "method">): Promise<Answered> {
    return this.#send({ ...asked, operation, method: "POST" });
  }

  #send(asked: Asked): Promise<Answered> {
    const path = ["instances", this.instanceId, ...asked.path];
    return send(this.#transport, { ...asked, path, operation: `handle.${asked.operation}` });
  }

  #wait<T>(options: WaitOptions, look: (look: Look) => Promise<T | undefined>, mayCome = true): Promise<T> {
    const { clock } = this.#transport;
    return waitUntil({ ...options, clock, instanceId: this.instanceId, mayCome }, look);
  }

  /** JSON has no `undefined`. */
  #described(body: unknown): OrchestrationStatus<Output, Shown> {
    const status = body as OrchestrationStatus<Output, Shown>;
    if (status.status === "NotFound") return status;
    const { customStatus: given } = status;
    const customStatus =
      given === undefined ? given : validated(this.#schemas, "customStatus", given, this.instanceId);
    const output = status.status === "Completed" ? { output: this.#output(status.output ?? null) } : {};
    return { ...status, ...output, customStatus } as OrchestrationStatus<Output, Shown>;
  }

  #output(value: unknown): Output {
    return validated(this.#schemas, "result", value, this.instanceId) as Output;
  }
}

type Body = Pick<Asked, "body">;

/** JSON of a message; none for `undefined`. */
function bodyOf(channel: MessageChannel, kind: PayloadKind, data: unknown): Body {
  const body = encodeMessage(jsonCodec, kind, channel, data);
  return data === undefined ? {} : { body };
}

function versionOf(status: OrchestrationStatus): number {
  return "customStatusVersion" in status ? status.customStatusVersion : 0;
}
