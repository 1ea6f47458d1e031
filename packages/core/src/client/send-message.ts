/**
 * Sends a message with an id, so that a repetition is delivered once (docs/decisions/messages.md). The client does
 * not retry, because stores retry transient errors, and only the caller knows how long further retries make sense.
 */
import type { Provider } from "../contract/provider.ts";
import { ProviderError, type ProviderErrorCode } from "../contract/provider-error.ts";
import { surrogateFault } from "../define/limits.ts";
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { checkOptions, type OptionList, optionList } from "../options/option-list.ts";
import type { OrchestratorItem } from "../wire/work-item.ts";

/** The options of sending a message. */
export interface SendOptions {
  /**
   * Identifies the message, 1 to 200 characters: within at least a day, a message with the same id for the same event or
   * queue of the instance is delivered once. By default a random id.
   */
  readonly messageId?: string;
}

const SEND_OPTIONS: OptionList = optionList<SendOptions>({ messageId: true });

const LONGEST_ID = 200;

export function checkSendOptions(method: string, options: SendOptions): void {
  checkOptions(method, options, SEND_OPTIONS);
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

/** Rejects with an error that has the id. */
export async function sendMessage(
  provider: Provider,
  item: OrchestratorItem,
  messageId: string,
): Promise<void> {
  try {
    await provider.enqueueForOrchestrator(item, 0, { messageId });
  } catch (error) {
    throw withMessageId(error, messageId, "the message may have been sent");
  }
}

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
