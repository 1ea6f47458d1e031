import type { PayloadCodec } from "./payload-codec.ts";
import { PayloadError } from "./payload-error.ts";

/**
 * Stores strings unchanged, for programs that encode their values themselves. Rejects all values that are not strings,
 * `undefined` included.
 */
export const rawCodec: PayloadCodec = {
  name: "raw",
  encode(value) {
    if (typeof value === "string") return value;
    throw new PayloadError("raw", "", `is of type ${typeof value}; the raw codec takes strings only`);
  },
  decode: (text) => text,
};
