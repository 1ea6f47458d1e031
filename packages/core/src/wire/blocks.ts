/** The codecs with which a provider describes its own stored documents in the same way as the wire format. */
export { parseJson } from "./json-text.ts";
export { type Fields, type StructCodec, struct } from "./struct.ts";
export {
  type Codec,
  defaulted,
  integer,
  neverWritten,
  nullable,
  optional,
  refuse,
  text,
  u64,
} from "./values.ts";
