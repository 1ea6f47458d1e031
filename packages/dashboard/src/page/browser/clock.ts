/** The time of the server, as the last answers gave it, and timers of the browser. */

const { now } = Date;

let offsetMs = 0;

/** Notes the time of the server that an answer contains. */
export function setServerTime(nowMs: number): void {
  offsetMs = nowMs - now();
}

export function serverNow(): number {
  return now() + offsetMs;
}

/** Time of the browser, which an answer of the server does not change. */
export function pageTime(): number {
  return now();
}

/** Calls once; the result cancels it. */
export function after(delayMs: number, run: () => void): () => void {
  const timer = window.setTimeout(run, delayMs);
  return () => window.clearTimeout(timer);
}
