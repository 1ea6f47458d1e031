/** Decodes what a store has read; what cannot be decoded is `corrupt-data`. */
import { ProviderError } from "../contract/provider-error.ts";
import { decodeEvents } from "../wire/codec.ts";
import { messageOf } from "./message-of.ts";

/** `what` names it in the message: `the history of instance "order-42"`. */
export function decodeStored<T>(operation: string, what: string, decode: () => T): T {
  try {
    return decode();
  } catch (cause) {
    const message = `${what} cannot be decoded: ${messageOf(cause)}`;
    throw new ProviderError({ code: "corrupt-data", operation, message, cause });
  }
}

/** The number of queue messages that an execution has inherited, from the text of its first event, or of its first ones. */
export function carriedMessages(operation: string, firstEvents: string): number {
  const [first] = decodeStored(operation, "the first event", () => decodeEvents(firstEvents));
  return first?.type === "OrchestrationStarted" ? (first.carry_forward_events?.length ?? 0) : 0;
}
