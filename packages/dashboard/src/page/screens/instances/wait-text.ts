/** Describes in one line what an instance waits for. */
import { duration } from "../../browser/format.ts";
import type { RowWaits, WaitView } from "../../shapes/instances.ts";

/** Returns a text such as `event approved, timer in 1d 23h`; empty if it waits for nothing that history knows. */
export function waitText({ waits, others }: RowWaits, nowMs: number): string {
  const parts = waits.map((wait) => partOf(wait, nowMs));
  if (others > 0) parts.push(`${others} more`);
  return parts.join(", ");
}

function partOf(wait: WaitView, nowMs: number): string {
  const { kind, name = "", label, dueAtMs } = wait;
  const shown = label === undefined ? "" : ` [${label}]`;
  if (kind === "timer")
    return dueAtMs === undefined ? `timer${shown}` : `timer${shown} ${inTime(dueAtMs, nowMs)}`;
  return `${kind} ${name}${shown}${attemptOf(wait, nowMs)}`;
}

/** Returns a text such as ` (attempt 3 of 5 in 4 s, last: card declined)`. */
function attemptOf({ attempt, maxAttempts, nextRetryAtMs, lastError }: WaitView, nowMs: number): string {
  if (attempt === undefined) return "";
  const of = maxAttempts === undefined ? "" : ` of ${maxAttempts}`;
  const when = nextRetryAtMs === undefined ? "" : ` ${inTime(nextRetryAtMs, nowMs)}`;
  return ` (attempt ${attempt}${of}${when}${lastError === undefined ? "" : `, last: ${lastError}`})`;
}

function inTime(atMs: number, nowMs: number): string {
  return atMs > nowMs ? `in ${duration(atMs - nowMs)}` : "due";
}
