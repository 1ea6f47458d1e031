/** The ways in which the provider refuses a call (docs/reference/provider-contract.md §3). */
import { ProviderError } from "../../contract/provider-error.ts";
import type { U64 } from "../../wire/integer.ts";

export function invalidInput(operation: string, message: string): ProviderError {
  return new ProviderError({ code: "invalid-input", operation, message });
}

/** Durations are whole milliseconds from 0. */
export function checkDuration(operation: string, what: string, ms: number): void {
  if (Number.isSafeInteger(ms) && ms >= 0) return;
  throw invalidInput(operation, `${what} is ${ms}; it must be a whole number of milliseconds from 0`);
}

/** Ids are whole numbers from 1 that a JavaScript number holds exactly. */
export function toId(operation: string, what: string, id: U64): number {
  const number = Number(id);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw invalidInput(operation, `${what} is ${id}; it must be a whole number from 1`);
}
