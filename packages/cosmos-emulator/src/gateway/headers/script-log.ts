/**
 * The log of a stored procedure travels percent-encoded in a header. One that is longer than clients read would make
 * the answer unreadable although everything is done, so its end is cut off.
 */
import { MAX_HEADER_LENGTH } from "./headers.ts";

/** Stands at the end of a log that was cut. */
const CUT = encodeURIComponent("…");

export function scriptLogHeader(log: string): string {
  const whole = encodeURIComponent(log.toWellFormed());
  if (whole.length <= MAX_HEADER_LENGTH) return whole;
  let kept = "";
  for (const character of log.toWellFormed()) {
    const encoded = encodeURIComponent(character);
    if (kept.length + encoded.length + CUT.length > MAX_HEADER_LENGTH) break;
    kept += encoded;
  }
  return kept + CUT;
}
