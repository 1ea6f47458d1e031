/** The answer of a handler, and the few ways to build it. Headers that every answer has are added by the gateway. */
import type { JsonValue } from "../../protocol/json.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly charge: number;
  readonly substatus?: number;
}

/** The outcome of a request: an answer, or none because a fault resets the connection. */
export type Outcome = Answer | "reset";

/** Makes an answer whose body is a JSON text. */
export function textAnswer(
  status: number,
  body: string,
  charge: number,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers: { "content-type": "application/json", ...headers }, body, charge };
}

export function jsonAnswer(
  status: number,
  body: JsonValue,
  charge: number,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return textAnswer(status, JSON.stringify(body), charge, headers);
}

export function emptyAnswer(
  status: number,
  charge: number,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers, charge };
}
