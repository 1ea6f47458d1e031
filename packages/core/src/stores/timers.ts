/** Messages that wait in the queue of an instance until they are due: firings of timers, and deadlines. */
import type { TimerId, TurnContent } from "../contract/provider.ts";
import { saturatedNumber } from "../wire/integer.ts";
import type { OrchestratorItem } from "../wire/work-item.ts";
import { toDurationMs, toPositiveId } from "./arguments.ts";

/** `undefined` for every other message. */
export function timerIdOf(item: OrchestratorItem): TimerId | undefined {
  if (item.kind === "TimerFired") {
    const { execution_id, id, fire_at_ms } = item;
    return {
      executionId: saturatedNumber(execution_id),
      timerId: saturatedNumber(id),
      fireAtMs: saturatedNumber(fire_at_ms),
    };
  }
  if (item.kind !== "CancelInstance" || item.deadline_ms === undefined) return undefined;
  return { deadlineMs: saturatedNumber(item.deadline_ms) };
}

/** A text that only this timer has among those of its instance. */
export function timerKey(timer: TimerId): string {
  if ("deadlineMs" in timer) return `deadline:${timer.deadlineMs}`;
  return `timer:${timer.executionId}:${timer.timerId}:${timer.fireAtMs}`;
}

/** The time at which a message of a commit becomes visible, ms since the epoch; `undefined`: at once. */
export function dueMsOf(item: OrchestratorItem): number | undefined {
  const timer = timerIdOf(item);
  if (timer === undefined) return undefined;
  return "deadlineMs" in timer ? timer.deadlineMs : timer.fireAtMs;
}

/** The timers that a commit drops, copied. `invalid-input` for ids that no timer can have. */
export function toDroppedTimers(operation: string, { droppedTimers = [] }: TurnContent): readonly TimerId[] {
  return droppedTimers.map((timer) => {
    if ("deadlineMs" in timer) {
      return { deadlineMs: toDurationMs(operation, "droppedTimers: deadlineMs", timer.deadlineMs) };
    }
    return {
      executionId: toPositiveId(operation, "droppedTimers: executionId", timer.executionId),
      timerId: toPositiveId(operation, "droppedTimers: timerId", timer.timerId),
      fireAtMs: toDurationMs(operation, "droppedTimers: fireAtMs", timer.fireAtMs),
    };
  });
}
