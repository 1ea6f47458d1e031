/** What a provider needs to describe stored documents of its own in the same way as the wire format's. */
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
