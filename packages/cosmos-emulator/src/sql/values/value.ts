/**
 * Values between SQLite and JavaScript. Inside a statement a value is JSON text, and SQL NULL is `undefined`
 * (docs/decisions/local-endpoint.md).
 */
import type { SQLOutputValue } from "node:sqlite";
import type { JsonObject, JsonValue } from "../../protocol/json.ts";
import { numberValue } from "../../protocol/raw-number.ts";

/** A value of a query: JSON, or undefined. */
export type Value = JsonValue | undefined;

/** Reads a value that is handed to a registered function. */
export function readValue(text: SQLOutputValue): Value {
  return text === null ? undefined : (JSON.parse(String(text)) as JsonValue);
}

/** Writes a value as a registered function returns it. A number that JSON cannot hold is undefined. */
export function writeValue(value: Value): string | null {
  if (typeof value === "number") return Number.isFinite(value) ? writeNumber(value) : null;
  return value === undefined ? null : JSON.stringify(value);
}

/** Writes the text that a stored number has as well, so that SQLite reads both alike. */
export function writeNumber(value: number): string {
  return JSON.stringify(numberValue(value));
}

export function isObject(value: Value): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isArray(value: Value): value is readonly JsonValue[] {
  return Array.isArray(value);
}
