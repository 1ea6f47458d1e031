/**
 * Sends a message with an id, so that a repetition is delivered once (docs/decisions/messages.md). The client does
 * not retry, because stores retry transient errors, and only the caller knows how long further retries make sense.
 */
import type { Provider, StartMessage } from "../contract/provider.ts";
import { ProviderError, type ProviderErrorCode } from "../contract/provider-error.ts";
import { surrogateFault } from "../define/limits.ts";
import { InvalidInputError, NotDeliveredError } from "../errors/duroxide-error.ts";
import { checkOptions, type OptionList, optionList, shown } from "../options/option-list.ts";

/** The options of sending a message. */
export interface SendOptions {
  /**
   * Identifies the message, 1 to 200 characters: within at least a day, a message with the same id for the same event or
   * queue of the instance is delivered once. By default a random id.
   */
  readonly messageId?: string;
  /**
   * Effect of a message for an instance that was never started, or has ended. `"fail"`, the default: NotDeliveredError.
   * `"keep"`: the message is stored all the same. An event then waits for a start that may come; workers discard a queue
   * message that comes before the start, and all messages of an ended instance.
   */
  readonly ifMissing?: "fail" | "keep";
}

/** The data of a message, optional where the definition has none, and the options. */
export type SendArguments<T> = undefined extends T
  ? [data?: T, options?: SendOptions]
  : [data: T, options?: SendOptions];

const SEND_OPTIONS: OptionList = optionList<SendOptions>({ messageId: true, ifMissing: true });

const LONGEST_ID = 200;

/** Throws InvalidInputError for options that do not exist. */
export function checkSendOptions(method: string, options: SendOptions): void {
  checkOptions(method, options, SEND_OPTIONS);
  const { ifMissing = "fail" } = options;
  if (ifMissing === "fail" || ifMissing === "keep") return;
  throw new InvalidInputError(`${method}: ifMissing must be "fail" or "keep"; got ${shown(ifMissing)}`);
}

/** Throws InvalidInputError for an invalid id of the caller. */
export function checkMessageId(messageId: string): string {
  const isRight = typeof messageId === "string" && messageId !== "" && messageId.length <= LONGEST_ID;
  const fault = isRight
    ? surrogateFault("messageId", messageId)
    : `messageId must be a string of 1 to ${LONGEST_ID} characters`;
  if (fault !== undefined) throw new InvalidInputError(fault);
  return messageId;
}

/** Rejects with NotDeliveredError, or with an error that has the id. */
export async function sendMessage(
  provider: Provider,
  item: StartMessage,
  options: Required<SendOptions>,
): Promise<void> {
  const outcome = await provider
    .enqueueForOrchestrator(item, 0, options)
    .catch((error: unknown) =>
      Promise.reject(withMessageId(error, options.messageId, "the message may have been sent")),
    );
  if (outcome === "not-found") throw new NotDeliveredError(outcome, item.instance, NOT_FOUND);
  if (outcome === "ended") throw new NotDeliveredError(outcome, item.instance, "has ended");
}

const NOT_FOUND = 'was never started, or was deleted; check the id, or send with ifMissing: "keep"';

/** After an error with one of these codes, the message may have been stored. */
const UNKNOWN_OUTCOMES: readonly ProviderErrorCode[] = ["unavailable", "internal"];

/** The error with the id; `doubt` says that the message may have been sent. */
export function withMessageId(error: unknown, messageId: string, doubt: string): unknown {
  if (!ProviderError.is(error)) return error;
  const { code, operation, detail, retryable } = error;
  const mayBeStored = retryable || UNKNOWN_OUTCOMES.includes(code);
  const hint = `; ${doubt}: repeat the call with { messageId: ${JSON.stringify(messageId)} }`;
  const message = mayBeStored ? `${detail}${hint}` : detail;
  return new ProviderError({ code, operation, message, retryable, messageId, cause: error });
}
