import { JsonText } from "./json-text.ts";
import { parseOrText } from "./lenient-json.ts";
import type { PayloadCodec } from "./payload-codec.ts";
import { assertSerialisable } from "./serialisable.ts";

/**
 * The default: plain JSON. A string keeps its quotes, so `"5"` and 5 differ; Rust's typed handlers read it.
 * `undefined` is stored as `null`. Text that is not JSON, such as a string from a Rust worker, reads as itself.
 * Dates and other objects with `toJSON` are stored and read as the result of `toJSON`. Rejected with an error that
 * names the value: functions, symbols, bigints, NaN and the infinities, invalid dates, cycles, and objects that JSON
 * would empty or change (Map, Set, Error, Promise, Response, iterators, binary data, arrays with further properties).
 * A `JsonText` is stored as it is written.
 */
export const jsonCodec: PayloadCodec = {
  name: "json",
  encode(value) {
    if (value instanceof JsonText) return value.text;
    assertSerialisable("json", value);
    return JSON.stringify(value) ?? "null";
  },
  decode: parseOrText,
};
