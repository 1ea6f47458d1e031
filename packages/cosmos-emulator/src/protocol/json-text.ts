/**
 * Documents between text and value, with the service's rules for numbers and text
 * (docs/reference/cosmos-protocol.md §1.5). Most documents hold nothing that JSON.parse would change; only those
 * that may are read a second time, number by number.
 */
import { CosmosError } from "./cosmos-error.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import { isRawNumber, numberFromLiteral } from "./raw-number.ts";

/** Levels of objects and arrays that a document may have. */
const MAX_DEPTH = 128;

/**
 * A number at the place of a value that has many digits, an exponent or leading zeros. It also fires inside a
 * string that looks alike, which costs time only.
 */
const SUSPICIOUS_NUMBER = /[:,[]\s*-?(?:[\d.]{16}|\d+(?:\.\d*)?[eE]|0\.0000)/;

/** An escape for one half of a surrogate pair; whether its other half is there is looked at later. */
const ESCAPED_SURROGATE = /\\u[dD][89abAB]|\\u[dD][c-fC-F]/;

const ALONE_NUMBER = /^\s*-?\d/;

/** Parses JSON. Throws 400 if the text is none, is nested too deeply, or holds a number beyond doubles. */
export function parseJson(text: string): JsonValue {
  let value = parse(text);
  checkDepth(value);
  if (SUSPICIOUS_NUMBER.test(text) || ALONE_NUMBER.test(text)) value = parseWithExactNumbers(text);
  return ESCAPED_SURROGATE.test(text) ? wellFormed(value) : value;
}

/** Parses JSON as `parseJson` does; 400 unless it is an object. */
export function parseDocument(text: string): JsonObject {
  const value = parseJson(text);
  if (!isJsonObject(value)) {
    throw CosmosError.badRequest(
      "The input content is invalid because it is not a JSON object. Send one object as the body.",
    );
  }
  return value;
}

/** Throws 400 if the value is nested more deeply than the service stores. */
export function checkDepth(value: JsonValue): void {
  if (!isDeeperThan(value, MAX_DEPTH)) return;
  throw CosmosError.badRequest(
    `The input content is invalid: objects and arrays are nested more than ${MAX_DEPTH} levels deep.`,
  );
}

/** Writes the text that is stored and answered: no white space, numbers as the service writes them. */
export function writeJson(value: JsonValue): string {
  return JSON.stringify(value);
}

/** Tells whether the value is an object, which arrays and numbers of many digits are not. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw CosmosError.badRequest(`The input content is invalid: it is not JSON (${reason}).`, { cause });
  }
}

/** The third argument of a reviver, which TypeScript's library does not know yet. */
type Reviver = (key: string, value: JsonValue, context: { readonly source?: string }) => JsonValue;

function parseWithExactNumbers(text: string): JsonValue {
  const revive: Reviver = (_key, value, { source }) => {
    if (typeof value !== "number" || source === undefined) return value;
    const exact = numberFromLiteral(source);
    if (exact === undefined) {
      throw CosmosError.badRequest(`The input content is invalid: the number ${source} is out of range.`);
    }
    return exact;
  };
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown) as JsonValue;
}

function isDeeperThan(value: JsonValue, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const element of value) {
      if (typeof element === "object" && isDeeperThan(element, levels - 1)) return true;
    }
    return false;
  }
  const object = value as JsonObject;
  for (const name in object) {
    const member = object[name];
    if (typeof member === "object" && isDeeperThan(member, levels - 1)) return true;
  }
  return false;
}

function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member)]),
  );
}
