/**
 * The clock of a runtime, whose timers end with it. A handler that never ends waits for ever, and so do the loops behind
 * it; but when the grace of a shutdown is over, none of their timers keeps the process alive, and none fires.
 */
import { type Member, Members } from "../collections/members.ts";
import type { CancelTimer, Clock } from "../contract/clock.ts";
import { onAbort } from "../contract/on-abort.ts";

interface Timer extends Member {
  readonly cancel: CancelTimer;
}

export function endingClock(clock: Clock, over: AbortSignal): Clock {
  const timers = new Members<Timer>();
  onAbort(over, () => {
    for (const { cancel } of timers.all()) cancel();
  });
  return {
    now: () => clock.now(),
    schedule(delayMs, callback) {
      if (over.aborted) return () => {};
      const cancel = clock.schedule(delayMs, () => {
        timers.delete(timer);
        callback();
      });
      const timer: Timer = { cancel, left: false, place: 0 };
      timers.add(timer);
      return () => {
        timers.delete(timer);
        cancel();
      };
    },
  };
}
