/** Suspends the guard in a codec: its random numbers, such as a nonce, are not calls of orchestration code. */
import { resumeGuard, suspendGuard } from "../../guard/open-turns.ts";
import type { NamingCodec } from "../../payload/limited-codec.ts";

export function unguardedCodec(codec: NamingCodec): NamingCodec {
  return {
    name: codec.name,
    encode(value, kind, name) {
      suspendGuard();
      try {
        return codec.encode(value, kind, name);
      } finally {
        resumeGuard();
      }
    },
    decode(text) {
      suspendGuard();
      try {
        return codec.decode(text);
      } finally {
        resumeGuard();
      }
    },
  };
}
