import type { PayloadCodec } from "./payload-codec.ts";
import { rawCodec } from "./raw-codec.ts";
import { rustTypedCodec } from "./rust-typed-codec.ts";

/** Whether the codec writes what Rust writes, for histories that Rust replays too: it compares the stored texts. */
export function areTextsCompared({ name }: Pick<PayloadCodec, "name">): boolean {
  return name === rustTypedCodec.name || name === rawCodec.name;
}
