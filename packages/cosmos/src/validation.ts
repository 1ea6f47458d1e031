/** Refuses arguments that the contract forbids, before anything is queued or stored. */
import { ProviderError, type U64 } from "@duroxide-ts/core";

export function invalidInput(operation: string, message: string, cause?: unknown): ProviderError {
  return new ProviderError({ code: "invalid-input", operation, message, cause });
}

/** Whole milliseconds; fractions are cut off. */
export function toDurationMs(operation: string, name: string, value: number): number {
  const ms = Math.trunc(value);
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw invalidInput(operation, `${name} is ${value}; it must be a number of milliseconds, 0 or more`);
}

/** Ids of executions and events count from 1. */
export function toPositiveId(operation: string, name: string, value: U64): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  throw invalidInput(operation, `${name} is ${value}; it must be a whole number from 1 to 2^53 - 1`);
}

/** `ms` after an instant, but never more than a number can hold exactly. */
export function later(nowMs: number, ms: number): number {
  return Math.min(nowMs + ms, Number.MAX_SAFE_INTEGER);
}
