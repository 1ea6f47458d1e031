/** Whether two stored texts hold the same value (docs/decisions/payloads.md). */
import type { PayloadCodec } from "./payload-codec.ts";
import { sameValue } from "./same-value.ts";

/** Equal texts are not decoded. A text that cannot be decoded equals only itself. */
export function samePayload(codec: Pick<PayloadCodec, "decode">, a: string, b: string): boolean {
  return a === b || sameDecoded(codec, a, b);
}

function sameDecoded(codec: Pick<PayloadCodec, "decode">, a: string, b: string): boolean {
  try {
    return sameValue(codec.decode(a), codec.decode(b));
  } catch {
    return false;
  }
}
