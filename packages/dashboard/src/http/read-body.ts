/** The body of an action: a JSON object of limited size. */
import { exactJson } from "@duroxide-ts/core/stores";
import { jsonPayload, Refused, readText } from "@duroxide-ts/core/web";

/** Limit above the largest payload that a client accepts, as JSON. */
const MOST_BYTES = 4_000_000;

export type Body = Readonly<Record<string, unknown>>;

export async function readBody(request: Request): Promise<Body> {
  const value = parse(await readText(request, MOST_BYTES));
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Refused(400, "invalid-input", "the body must be a JSON object in which no name occurs twice");
  }
  return value as Body;
}

/** Numbers that JavaScript cannot hold stay as they are written. */
function parse(text: string): unknown {
  try {
    return exactJson(text);
  } catch {
    throw new Refused(400, "invalid-input", "the body is not JSON");
  }
}

/**
 * A payload of the body. Refused if its value loses something, unless the store takes JSON as it is written: `asText`.
 */
export function payloadIn(body: Body, field: string, asText: boolean): unknown {
  if (body[field] === undefined) return undefined;
  return jsonPayload(JSON.stringify(body[field]), `"${field}"`, asText);
}

/** A text of the body; Refused if it is missing or not a text. */
export function textIn(body: Body, field: string): string {
  const value = body[field];
  if (typeof value === "string") return value;
  throw new Refused(400, "invalid-input", `"${field}" must be a text`);
}

export function optionalTextIn(body: Body, field: string): string | undefined {
  return body[field] === undefined || body[field] === "" ? undefined : textIn(body, field);
}

/** False if it is missing; Refused if it is not a truth value. */
export function flagIn(body: Body, field: string): boolean {
  const value = body[field] ?? false;
  if (typeof value === "boolean") return value;
  throw new Refused(400, "invalid-input", `"${field}" must be true or false`);
}

export function wholeNumberIn(body: Body, field: string): number {
  const value = body[field];
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new Refused(400, "invalid-input", `"${field}" must be a whole number`);
}
