/**
 * The pace of the page: all that it reads by itself takes at most so many request units a second on average. What its user
 * asks for is read at once, and delays what the page reads next.
 */
import { useEffect, useState } from "preact/hooks";
import { pauseForUnits } from "../shapes/refresh.ts";
import { after, pageTime } from "./clock.ts";

/** Time from which the page may read again by itself. */
let freeFromMs = 0;

/** Notes what an answer cost. */
export function spend(requestUnits: number): void {
  if (requestUnits > 0) freeFromMs = Math.max(freeFromMs, pageTime()) + pauseForUnits(requestUnits);
}

/** Calls once, after the delay and when the pace allows it; the result cancels it. */
export function afterPause(delayMs: number, run: () => void): () => void {
  let cancel = after(delayMs, () => {
    const pausedMs = freeFromMs - pageTime();
    if (pausedMs > 0) cancel = afterPause(pausedMs, run);
    else run();
  });
  return () => cancel();
}

/** Whether the pace does not allow a read now; the caller is drawn again when it does. */
export function usePause(): boolean {
  const [, setEnds] = useState(0);
  const isPaused = pageTime() < freeFromMs;
  useEffect(() => (isPaused ? afterPause(0, () => setEnds((ends) => ends + 1)) : undefined), [isPaused]);
  return isPaused;
}
