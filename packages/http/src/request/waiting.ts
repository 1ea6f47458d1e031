/**
 * Waits of a request: `?wait=20s`.
 *
 * - waiting.WA1: A wait ends when its client has gone, and when the server stops, so that it keeps neither from ending.
 * - waiting.WA2: It leaves no listener on the signal of the server, which lives as long as the process.
 */
import { CancelledError, TimeoutError } from "@duroxide-ts/core";
import { onAbort } from "@duroxide-ts/core/browser";
import { Refused } from "@duroxide-ts/core/web";
import { waitMsOf } from "../wire/wait-text.ts";

/** Longest wait, ms: shorter than the 60 s after which most proxies end a connection without data. */
export const MOST_WAIT_MS = 55_000;

/** The wait that the address asks for, at most `MOST_WAIT_MS`; Refused for one that is no duration. */
export function waitMs({ searchParams }: URL): number | undefined {
  const text = searchParams.get("wait");
  if (text === null) return undefined;
  const ms = waitMsOf(text);
  if (ms !== undefined) return Math.min(ms, MOST_WAIT_MS);
  throw new Refused(400, "invalid-input", 'wait must be a time with its unit, such as "20s" or "500ms"');
}

/** Calls `wait` with a signal that aborts when the client has gone or the server stops. */
export async function whileWanted<T>(
  request: Request,
  stopping: AbortSignal | undefined,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const end = (): void => over.abort();
  if (request.signal.aborted || stopping?.aborted === true) end();
  const forgets = [onAbort(request.signal, end), onAbort(stopping, end)];
  try {
    return await wait(over.signal);
  } finally {
    for (const forget of forgets) forget();
  }
}

/** The end of a wait, by its time or by its signal, is no failure: the caller gets what there is now. */
export function unlessOver(error: unknown): void {
  if (!TimeoutError.is(error) && !CancelledError.is(error)) throw error;
}
