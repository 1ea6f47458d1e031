/** Checks of the input of the admin routes: JSON of an expected form, or 400 with what was expected. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonObject, JsonValue } from "../../protocol/json.ts";
import { isJsonObject } from "../../protocol/json-text.ts";

export function invalidFault(message: string): CosmosError {
  return CosmosError.badRequest(message);
}

/** Returns the input as an object that has no members but these. */
export function rejectUnknown(
  input: JsonValue | undefined,
  what: string,
  known: readonly string[],
): JsonObject {
  if (!isJsonObject(input)) throw invalidFault(`${what} is an object with ${known.join(", ")}.`);
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalidFault(`${what} has no "${unknown}"; it knows ${known.join(", ")}.`);
  return input;
}

export function optionalCount(input: JsonObject, name: string, least: number): number | undefined {
  const value = input[name];
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
  throw invalidFault(`"${name}" is a whole number from ${least} up.`);
}

export function count(input: JsonObject, name: string, least: number): number {
  const value = optionalCount(input, name, least);
  if (value === undefined) throw invalidFault(`"${name}" is missing: give a whole number from ${least} up.`);
  return value;
}

export function optionalText(input: JsonObject, name: string): string | undefined {
  const value = input[name];
  if (value === undefined || typeof value === "string") return value;
  throw invalidFault(`"${name}" is a text.`);
}
