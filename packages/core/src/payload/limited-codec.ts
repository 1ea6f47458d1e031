/**
 * One limit for payloads, below that of the smallest store, so that a program that works on one store works on all.
 * A payload that a store cannot take would otherwise be refused when it is stored: too late for the code that made it.
 */
import { utf8Bytes } from "../define/limits.ts";
import { LimitExceededError } from "../errors/duroxide-error.ts";
import type { PayloadCodec } from "./payload-codec.ts";
import { PayloadError } from "./payload-error.ts";

/** A document of Azure Cosmos DB has at most 2 MB, other fields included. */
export const DEFAULT_MAX_PAYLOAD_BYTES = 1_500_000;

/** A character takes at most so many bytes in a text that is escaped twice: `"` becomes `\\\"`, a control character more. */
const MOST_BYTES_PER_CHARACTER = 7;

/** The codec, but for texts that take more than `maxBytes` bytes in a store. */
export function limitedCodec(codec: PayloadCodec, maxBytes: number): PayloadCodec {
  return {
    name: codec.name,
    encode(value) {
      const text = codec.encode(value);
      if (typeof text !== "string") {
        throw new PayloadError(
          codec.name,
          "",
          "was not encoded as a text; encode of the codec must return one",
        );
      }
      // Most texts are so short that nobody has to count.
      if (text.length * MOST_BYTES_PER_CHARACTER <= maxBytes) return text;
      const bytes = storedBytes(text);
      if (bytes <= maxBytes) return text;
      throw new LimitExceededError(
        `the payload takes ${bytes} bytes in the store, more than maxPayloadBytes (${maxBytes}); ` +
          "store it elsewhere and pass a reference to it",
      );
    },
    decode: (text) => codec.decode(text),
  };
}

/** A payload is a text inside an event, which is a text inside a document: quotes and the like are escaped twice. */
export function storedBytes(text: string): number {
  return utf8Bytes(JSON.stringify(JSON.stringify(text)));
}
