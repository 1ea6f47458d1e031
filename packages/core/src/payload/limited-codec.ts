/**
 * One limit for payloads, below the smallest limit of all stores, so that a program that works on one store works on
 * all. Without it the store would reject a payload at the commit, when the code that made it can no longer catch the
 * error.
 */
import { storedBytes } from "../define/limits.ts";
import { LimitExceededError } from "../errors/duroxide-error.ts";
import { quietPromise, quietPromises } from "../errors/quiet-promises.ts";
import type { LargePayloads } from "./large-payloads.ts";
import type { PayloadCodec } from "./payload-codec.ts";
import { PayloadError } from "./payload-error.ts";
import { describePayload, type PayloadKind } from "./payload-kind.ts";

/** The most bytes of a character in a text that is escaped twice: `"` becomes `\\\"`, a control character more. */
const MOST_BYTES_PER_CHARACTER = 7;
/** Payloads above this part of the limit cause a warning. */
const WARNING_SHARE = 0.1;

/** The codec as core calls it, with the kind and name of the payload. Every PayloadCodec is one. */
export interface NamingCodec extends Pick<PayloadCodec, "name" | "decode"> {
  encode(value: unknown, kind: PayloadKind, name: string): string;
}

/**
 * The codec with a limit: it rejects texts that take more than `maxBytes` bytes in a store. The error names the
 * payload, its size and the limit; `large` is called for payloads near the limit.
 */
export function limitedCodec(codec: PayloadCodec, maxBytes: number, large: LargePayloads): NamingCodec {
  const bounded = codec.within?.(maxBytes) ?? codec;
  const warnBytes = maxBytes * WARNING_SHARE;
  return {
    name: codec.name,
    encode(value, kind, name) {
      const text = encodeWith(bounded, value);
      if (typeof text !== "string") throw noText(codec.name, text);
      if (!text.isWellFormed()) throw loneSurrogate(codec.name);
      const mostBytes = text.length * MOST_BYTES_PER_CHARACTER;
      // Most texts are so short that their bytes need not be counted.
      if (mostBytes <= warnBytes || (mostBytes <= maxBytes && large.wasTold(kind, name))) return text;
      const bytes = storedBytes(text);
      if (bytes > maxBytes) throw tooLarge(describePayload(kind, name), bytes, maxBytes);
      if (bytes > warnBytes && !large.wasTold(kind, name)) large.tell(kind, name, bytes, maxBytes);
      return text;
    },
    decode: (text) => decodeWith(bounded, text),
  };
}

/** A value that the codec refuses is discarded, and so are the promises in it. */
function encodeWith(codec: PayloadCodec, value: unknown): string {
  try {
    return codec.encode(value);
  } catch (error) {
    quietPromises(value);
    quietPromises(error);
    throw error;
  }
}

/** The error reaches code that may discard it. */
function decodeWith(codec: PayloadCodec, text: string): unknown {
  try {
    return codec.decode(text);
  } catch (error) {
    quietPromises(error);
    throw error;
  }
}

function noText(codecName: string, encoded: unknown): PayloadError {
  quietPromise(encoded);
  return new PayloadError(
    codecName,
    "",
    "was not encoded as a text; encode of the codec must return one, and no promise",
  );
}

/** The JSON codec writes it as an escape. */
function loneSurrogate(codecName: string): PayloadError {
  return new PayloadError(
    codecName,
    "",
    "was encoded as a text with a lone surrogate, half of a character, which no store keeps; encode text.toWellFormed()",
  );
}

function tooLarge(what: string, bytes: number, maxBytes: number): LimitExceededError {
  return new LimitExceededError(
    `${what}: the payload takes ${bytes} bytes in the store, more than maxPayloadBytes (${maxBytes}); ` +
      "store it elsewhere and pass a reference to it",
  );
}
