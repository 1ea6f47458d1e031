/** The time of the server, as the last answers gave it, and timers of the browser. */

const { now } = Date;

let offsetMs = 0;

/** What an answer of the server says about its time. */
export function setServerTime(nowMs: number): void {
  offsetMs = nowMs - now();
}

export function serverNow(): number {
  return now() + offsetMs;
}

/** Calls once; the result cancels it. */
export function after(delayMs: number, run: () => void): () => void {
  const timer = window.setTimeout(run, delayMs);
  return () => window.clearTimeout(timer);
}
