/** Whether two stored texts hold the same value (docs/decisions/0026). */
import type { PayloadCodec } from "./payload-codec.ts";
import { sameValue } from "./same-value.ts";

/** Equal texts cost nothing. A text that cannot be decoded is no other text's equal. */
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
