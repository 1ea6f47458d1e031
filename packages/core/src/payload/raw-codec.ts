import type { PayloadCodec } from "./payload-codec.ts";
import { PayloadError } from "./payload-error.ts";

/**
 * Text in, text out, for programs that encode their values themselves. Whatever is not a string is refused,
 * `undefined` included. Lone surrogates, which no store can keep, become U+FFFD.
 */
export const rawCodec: PayloadCodec = {
  name: "raw",
  encode(value) {
    if (typeof value === "string") return value.toWellFormed();
    throw new PayloadError("raw", "", `is of type ${typeof value}; the raw codec takes strings only`);
  },
  decode: (text) => text,
};
