/** Inputs and results of durable calls as payloads. */
import type { Named } from "../../define/named.ts";
import { validate, validateStored } from "../../define/standard-schema.ts";
import { DuroxideError, refusedPayload } from "../../errors/duroxide-error.ts";
import { describePayload, type PayloadKind } from "../../payload/payload-kind.ts";
import type { RunningCode } from "../code/recorder.ts";

/** Checks the input with the schema of the definition, but does not transform it: the side of the handler does that. */
export function encodeInput(
  { surroundings: { codec } }: RunningCode,
  kind: PayloadKind,
  definition: Named,
  name: string,
  input: unknown,
): string {
  try {
    if (typeof definition !== "string" && definition.schema !== undefined) {
      validate(definition.schema, input, `input of "${definition.name}"`);
    }
    return codec.encode(input, kind, name);
  } catch (error) {
    if (DuroxideError.is(error)) throw error;
    throw refusedPayload(describePayload(kind, name), error);
  }
}

/** A stored result after the schema of the definition. */
export function decodeResult({ surroundings }: RunningCode, definition: Named, text: string): unknown {
  const value = surroundings.codec.decode(text);
  if (typeof definition === "string" || definition.result === undefined) return value;
  return validateStored(definition.result, value, `result of "${definition.name}"`);
}
