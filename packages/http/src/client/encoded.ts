/** Payloads in requests. */
import { describePayload, jsonCodec, type PayloadKind, refusedPayload } from "@duroxide-ts/core/browser";

/** JSON of a payload. Throws a DuroxideError that names it. */
export function encoded(value: unknown, kind: PayloadKind, name: string): string {
  try {
    return jsonCodec.encode(value);
  } catch (error) {
    throw refusedPayload(describePayload(kind, name), error);
  }
}
