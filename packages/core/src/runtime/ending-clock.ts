/**
 * The clock of a runtime, whose timers end with it. A handler that never ends waits for ever, and so do the loops behind
 * it; but when the grace of a shutdown is over, none of their timers keeps the process alive, and none fires.
 */
import type { Clock } from "../contract/clock.ts";
import { onAbort } from "../contract/on-abort.ts";

export function endingClock(clock: Clock, over: AbortSignal): Clock {
  return {
    now: () => clock.now(),
    schedule(delayMs, callback) {
      if (over.aborted) return () => {};
      const cancel = clock.schedule(delayMs, () => {
        forget();
        callback();
      });
      const forget = onAbort(over, cancel);
      return () => {
        forget();
        cancel();
      };
    },
  };
}
