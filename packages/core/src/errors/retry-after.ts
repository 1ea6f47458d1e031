/** The pause that a thrown error asks for before the next attempt (docs/decisions/activities.md). */
import type { ThrownDetails } from "../wire/error-details.ts";
import { saturatedNumber } from "../wire/integer.ts";
import { attempt } from "./thrown-value.ts";

/** A pause in ms from the failure on, or a time in ms since the epoch. */
export type RetryAfter = { readonly ms: number } | { readonly atMs: number };

type StoredPause = Pick<ThrownDetails, "retry_after_ms" | "retry_at_ms">;

/** Reads the pause from the fields of the error, because the class may be that of another copy of this package. */
export function describePause(error: Error): StoredPause {
  const pause = attempt((): StoredPause => {
    const asked: unknown = Reflect.get(error, "retryAfter");
    if (typeof asked !== "object" || asked === null) return {};
    if ("ms" in asked && isTime(asked.ms)) return { retry_after_ms: asked.ms };
    return "atMs" in asked && isTime(asked.atMs) ? { retry_at_ms: asked.atMs } : {};
  });
  return pause ?? {};
}

export function restorePause({ retry_after_ms: ms, retry_at_ms: atMs }: StoredPause): RetryAfter | undefined {
  if (ms !== undefined) return { ms: saturatedNumber(ms) };
  return atMs === undefined ? undefined : { atMs: saturatedNumber(atMs) };
}

export function shownPause(pause: RetryAfter): string {
  return "ms" in pause ? `after ${pause.ms} ms` : `at ${shownTime(pause.atMs)}`;
}

/** A date beyond those that JavaScript can write is shown as its number. */
function shownTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? `${ms} ms` : date.toISOString();
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
