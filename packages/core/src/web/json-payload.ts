/** Payloads that people and other programs write as JSON. */
import { JsonText } from "../payload/json-text.ts";
import { lossOf } from "../wire/exact-json.ts";
import { Refused } from "./refusal.ts";

/**
 * The payload that a JSON text is. Where its value would lose something, such as digits of a long number, the text itself
 * if the store takes JSON as it is written (`asText`); otherwise refused, under the name `what`. Throws a SyntaxError for
 * what is no JSON.
 */
export function jsonPayload(json: string, what: string, asText: boolean): unknown {
  const value: unknown = JSON.parse(json);
  const loss = lossOf(json);
  if (loss === undefined) return value;
  if (asText) return new JsonText(json);
  throw new Refused(400, "invalid-input", `${what}: ${loss}; write a long number as a text`);
}
