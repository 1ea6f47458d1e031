/** Parts of the checks of administrative arguments. The faults are `invalid-input`, and say what is allowed. */
import { type OptionList, optionFault } from "../options/option-list.ts";
import { ProviderError } from "./provider-error.ts";

/** A whole number of `least` or more, and of `most` or less. */
export function checkCount(
  operation: string,
  name: string,
  value: number | undefined,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least && value <= most)) return;
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
  throw refusal(operation, `${name} is ${describe(value)}; it must be a whole number ${range}`);
}

/** A time in ms since the epoch. */
export function checkInstant(operation: string, name: string, value: number | undefined): void {
  if (value === undefined || Number.isFinite(value)) return;
  throw refusal(
    operation,
    `${name} is ${describe(value)}; it must be an instant in ms since the epoch, such as Date.parse("2030-01-31")`,
  );
}

/** A text; an empty one is a value too. */
export function checkText(operation: string, name: string, value: string | undefined): void {
  if (value === undefined || typeof value === "string") return;
  throw refusal(operation, `${name} is ${describe(value)}; it must be a text`);
}

/** `true` or `false`. */
export function checkFlag(operation: string, name: string, value: boolean | undefined): void {
  if (value === undefined || typeof value === "boolean") return;
  throw refusal(operation, `${name} is ${describe(value)}; it must be true or false`);
}

/** One of the values. */
export function checkChoice(
  operation: string,
  name: string,
  value: string | undefined,
  known: readonly string[],
): void {
  if (value === undefined || known.includes(value)) return;
  throw refusal(operation, `${name} is ${describe(value)}; it must be one of ${known.join(", ")}`);
}

/** A list of texts, each one of `known` if it is given. */
export function checkTexts(
  operation: string,
  name: string,
  value: readonly string[] | undefined,
  known?: readonly string[],
): void {
  if (value === undefined) return;
  // A caller in JavaScript may pass anything.
  const given: unknown = value;
  if (!Array.isArray(given) || !given.every((each) => typeof each === "string")) {
    throw refusal(operation, `${name} is ${describe(given)}; it must be a list of texts`);
  }
  if (known === undefined) return;
  for (const each of value) checkChoice(operation, `an entry of ${name}`, each, known);
}

/** The continuation of a page. The store checks whether it comes from a previous page. */
export function checkContinuation(operation: string, continuation: string | undefined): void {
  if (continuation === undefined || typeof continuation === "string") return;
  throw refusal(operation, "continuation is not a text; pass that of the previous page");
}

/** An object, possibly empty. */
export function requireObject(operation: string, name: string, value: unknown): void {
  if (typeof value === "object" && value !== null) return;
  throw refusal(operation, `${name} is ${describe(value)}; it must be an object, possibly empty`);
}

/**
 * A plain object. The properties of others may be no own ones, or conditions of something else: a promise that was not
 * awaited, a map or a list would mean "no condition".
 */
export function requirePlainObject(operation: string, name: string, value: unknown): void {
  requireObject(operation, name, value);
  const prototype: unknown = Object.getPrototypeOf(value);
  // The one of another realm has no prototype itself.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return;
  throw refusal(operation, `${name} must be a plain object, such as { status: ["Failed"] }`);
}

/** A misspelt condition must never mean "no condition". */
export function checkNames(operation: string, name: string, value: object, known: OptionList): void {
  const fault = optionFault(name, value, known);
  if (fault !== undefined) throw refusal(operation, fault);
}

/** Numbers unquoted, because JSON has no NaN; strings in quotes; otherwise the type. */
export function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 50));
  if (typeof value === "number" || value === undefined || value === null) return String(value);
  return value instanceof Date ? "a Date" : `of type ${typeof value}`;
}

/** The error of a check. */
export function refusal(operation: string, message: string): ProviderError {
  return new ProviderError({ code: "invalid-input", operation, message });
}
