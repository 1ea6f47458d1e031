/** Instants in requests. */
import { instantMs } from "../define/duration.ts";
import { Refused } from "./refusal.ts";

/** Ms since the epoch; Refused if the text of a field is no instant. */
export function instantIn(field: string, text: string): number {
  const ms = instantMs(text);
  if (ms !== undefined) return ms;
  throw new Refused(400, "invalid-input", `"${field}" must be an instant such as 2026-05-01T10:00Z`);
}
