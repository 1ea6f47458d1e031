/** Refuses arguments that the contract forbids, before anything is queued or stored. */
import type { EnqueueOptions } from "../contract/provider.ts";
import { ProviderError } from "../contract/provider-error.ts";
import type { U64 } from "../wire/integer.ts";

/** `invalid-input`, for what the contract forbids. The message says what would be right. */
export function invalidInput(operation: string, message: string, cause?: unknown): ProviderError {
  return new ProviderError({ code: "invalid-input", operation, message, cause });
}

/** A duration of the caller in whole milliseconds; fractions are cut off. `invalid-input` for what is none. */
export function toDurationMs(operation: string, name: string, value: number): number {
  const ms = Math.trunc(value);
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw invalidInput(operation, `${name} is ${value}; it must be a number of milliseconds, 0 or more`);
}

/** An id of an execution or event, which count from 1. `invalid-input` for what is none. */
export function toPositiveId(operation: string, name: string, value: U64): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  throw invalidInput(operation, `${name} is ${value}; it must be a whole number from 1 to 2^53 - 1`);
}

/** `ms` after an instant, but never more than a number can hold exactly. */
export function later(nowMs: number, ms: number): number {
  return Math.min(nowMs + ms, Number.MAX_SAFE_INTEGER);
}

const LONGEST_MESSAGE_ID = 200;

/** The id of a message as the caller gave it, if any. */
export function toMessageId(operation: string, { messageId }: EnqueueOptions = {}): string | undefined {
  if (messageId === undefined) return undefined;
  const isRight = typeof messageId === "string" && messageId !== "" && messageId.length <= LONGEST_MESSAGE_ID;
  if (isRight) return messageId;
  throw invalidInput(operation, `messageId must be a string of 1 to ${LONGEST_MESSAGE_ID} characters`);
}
