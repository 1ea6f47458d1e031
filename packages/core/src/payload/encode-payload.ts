/** Encodes a payload under the name that errors give it. */
import { refusedPayload } from "../errors/duroxide-error.ts";
import type { NamingCodec } from "./limited-codec.ts";
import { describePayload, type PayloadKind } from "./payload-kind.ts";

/** Throws a DuroxideError that names the payload, whatever the codec throws. */
export function encodePayload(codec: NamingCodec, value: unknown, kind: PayloadKind, name: string): string {
  try {
    return codec.encode(value, kind, name);
  } catch (error) {
    throw refusedPayload(describePayload(kind, name), error);
  }
}
