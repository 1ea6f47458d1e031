/** A handle to one instance over HTTP. */
import {
  type AnyHandle,
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
  type MessageChannel,
  NotDeliveredError,
  type OrchestrationStatus,
  type PayloadKind,
  type QuestionDefinition,
  type QueueDefinition,
  type Schemas,
  type SendArguments,
  type SendOptions,
  systemRandom,
  TimeoutError,
  validated,
  validateStored,
  type WaitOptions,
} from "@duroxide-ts/core/browser";
import { waitText } from "../wire/wait-text.ts";
import type { InstanceLink } from "./instance-link.ts";
import { StateHandle } from "./state-handle.ts";
import type { Answered, Asked } from "./transport.ts";
import type { Look } from "./waits.ts";

interface HandleOf {
  readonly schemas: Schemas;
  readonly created: boolean;
}

/** A handle to one instance over HTTP. It has the calls of `InstanceHandle`. */
export class HttpHandle<Output, Shown = unknown> extends StateHandle implements AnyHandle<Output, Shown> {
  /** Whether the start that returned the handle has made the instance. */
  readonly created: boolean;
  readonly #link: InstanceLink;
  readonly #schemas: Schemas;

  constructor(link: InstanceLink, { created, schemas }: HandleOf) {
    super(link);
    this.created = created;
    this.#link = link;
    this.#schemas = schemas;
  }

  /** Waits until the instance ends: the output, or OrchestrationFailedError; TimeoutError if `timeout` passes first. */
  async result(options: WaitOptions = {}): Promise<Output> {
    checkWait("result", options);
    const { value } = await this.#link.wait(options, async ({ holdMs, signal }) => {
      const query = { wait: waitText(holdMs) };
      const answered = await this.#link.get("result", { path: ["result"], query, waitMs: holdMs, signal });
      return answered.status === 200 ? answered : undefined;
    });
    return this.#output(value);
  }

  /** The current status, read once. */
  async status(): Promise<OrchestrationStatus<Output, Shown>> {
    try {
      const { value } = await this.#link.get("status", { path: [] });
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
      body: this.#bodyOf(event, "raised-event", data),
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
      body: this.#bodyOf(queue, "queue-message", data),
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
    const body = this.#bodyOf(question, "question", input);
    const look = async ({ holdMs, signal }: Look): Promise<Answered | undefined> => {
      const asked = this.#once(messageId, { wait: waitText(holdMs) });
      const path = ["ask", name];
      return this.#link
        .post("ask", { path, ...asked, ...body, waitMs: holdMs, signal })
        .catch((error: unknown) => {
          // Asked again under the same id, the instance gives the answer that it has given meanwhile.
          if (TimeoutError.is(error)) return undefined;
          throw error;
        });
    };
    const { value } = await this.#link.wait(wait, look, false);
    const answer = this.#link.payload(value);
    if (typeof question === "string" || question.result === undefined) return answer as Result;
    return validateStored(question.result, answer, `answer to question "${name}"`) as Result;
  }

  /** Asks the instance to end. Rejects with NotDeliveredError (`not-found`) for an unknown one. */
  async cancel(reason = ""): Promise<void> {
    const body = JSON.stringify({ reason });
    await this.#link.post("cancel", { path: ["cancel"], body }).catch((error: unknown) => {
      // A cancellation of what has ended has no effect in a Client.
      if (!NotDeliveredError.is(error, "ended")) throw error;
    });
  }

  /** Yields the current custom status and every new one until the instance ends. */
  async *customStatus(options: CustomStatusOptions = {}): AsyncGenerator<Shown | undefined, void, undefined> {
    const { afterVersion, wait } = checkedCustomStatus(options);
    let seen = afterVersion;
    for (;;) {
      const found = await this.#link.wait(wait, async ({ holdMs, signal }) => {
        const query = { wait: waitText(holdMs), customStatusAfter: String(seen) };
        const { value } = await this.#link.get("customStatus", { path: [], query, waitMs: holdMs, signal });
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
    await this.#link.post(operation, { path, ...this.#once(messageId, kept), ...body });
  }

  /** A header has no room for every character, so other ids stand in the address. */
  #once(messageId: string, query: Readonly<Record<string, string>>): Pick<Asked, "headers" | "query"> {
    const fits = /^[!#-~](?:[ -~]*[!-~])?$/.test(messageId);
    return fits ? { headers: { "idempotency-key": messageId }, query } : { query: { ...query, messageId } };
  }

  /** JSON has no `undefined`. */
  #described(body: unknown): OrchestrationStatus<Output, Shown> {
    const status = body as OrchestrationStatus<Output, Shown>;
    if (status.status === "NotFound") return status;
    const { customStatus: given } = status;
    const customStatus =
      given === undefined
        ? given
        : validated(this.#schemas, "customStatus", this.#link.payload(given), this.instanceId);
    const output = status.status === "Completed" ? { output: this.#output(status.output ?? null) } : {};
    return { ...status, ...output, customStatus } as OrchestrationStatus<Output, Shown>;
  }

  #output(value: unknown): Output {
    return validated(this.#schemas, "result", this.#link.payload(value), this.instanceId) as Output;
  }

  /** JSON of a message; none for `undefined`. */
  #bodyOf(channel: MessageChannel, kind: PayloadKind, data: unknown): Body {
    const body = encodeMessage(this.#link.codec, kind, channel, data);
    return data === undefined ? {} : { body };
  }
}

type Body = Pick<Asked, "body">;

function versionOf(status: OrchestrationStatus): number {
  return "customStatusVersion" in status ? status.customStatusVersion : 0;
}
