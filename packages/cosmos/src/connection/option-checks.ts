/** Rejects invalid options, each with a sentence that says what is allowed. */
import { ProviderError } from "@duroxide-ts/core/stores";

/** Timers of Node fire at once when they are set for longer. */
export const LONGEST_TIMER_MS = 2_147_483_647;

export function invalidOption(message: string): ProviderError {
  return new ProviderError({ code: "invalid-input", operation: "connect", message });
}

export function toWhole(
  name: string,
  value: number,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
  throw invalidOption(`${name} is ${String(value)}; give a whole number ${range}`);
}

export function toFlag(name: string, value: boolean): boolean {
  if (typeof value === "boolean") return value;
  throw invalidOption(`${name} is ${String(value)}; give true or false`);
}

export function toCallback<Callback>(name: string, value: Callback | undefined): Callback | undefined {
  if (value === undefined || typeof value === "function") return value;
  throw invalidOption(`${name} is not a function; give one, or leave it out`);
}

/** The service's rules for names of databases and containers (docs/reference/cosmos-protocol.md §1.4 and §3.1). */
export function toResourceName(option: string, value: string): string {
  const isName = typeof value === "string" && value.length > 0 && value.length <= 255;
  if (isName && !/[/\\#?]/.test(value) && !value.endsWith(" ")) return value;
  throw invalidOption(
    `${option} is ${JSON.stringify(value)}; give a name of 1 to 255 characters without / \\ # ? and without a space at its end`,
  );
}

export function toLocations(value: readonly string[]): readonly string[] {
  const isList =
    Array.isArray(value) && value.every((name) => typeof name === "string" && name.trim() !== "");
  if (isList) return [...value];
  throw invalidOption('preferredLocations is not a list of region names; give one such as ["West Europe"]');
}
