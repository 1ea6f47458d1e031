/** What callers pass is looked at before anything is stored (§3). */
import { ProviderError } from "@duroxide-ts/core";

export function invalidInput(operation: string, message: string): ProviderError {
  return new ProviderError({ code: "invalid-input", operation, message });
}

/** By their names, for the message. */
export function requireDurations(operation: string, durations: Readonly<Record<string, number>>): void {
  for (const [name, ms] of Object.entries(durations)) {
    if (!(ms >= 0))
      throw invalidInput(operation, `${name} must be a number of milliseconds from 0, not ${ms}`);
  }
}

export function requireCount(
  operation: string,
  name: string,
  count: number,
  least = 0,
  most: number = Number.MAX_SAFE_INTEGER,
): void {
  if (Number.isInteger(count) && count >= least && count <= most) return;
  throw invalidInput(operation, `${name} must be a whole number from ${least} to ${most}, not ${count}`);
}
