/**
 * The messages that a commit removes because the execution does not wait for them any more: those of timers that the code
 * dropped or that are open at the end, and that of the deadline (docs/decisions/messages.md).
 */
import type { TimerId } from "../../contract/provider.ts";
import { saturatedNumber } from "../../wire/integer.ts";
import { TIMER } from "../calls/timer.ts";
import type { HistoryIndex, Schedule } from "./history-index.ts";

export function timerOf({ id, fireAtMs = 0 }: Readonly<Schedule>, executionId: number): TimerId {
  return { executionId, timerId: saturatedNumber(id), fireAtMs: saturatedNumber(fireAtMs) };
}

/** The open timers of an execution that ends. The turn that ends it sends none for events from `firstEventId` on. */
export function openTimers(index: HistoryIndex, executionId: number, firstEventId: number): TimerId[] {
  const queued = index.open(TIMER).filter(({ id }) => id < firstEventId);
  return queued.map((schedule) => timerOf(schedule, executionId));
}

/** The deadline of an instance that ends; none if it has fired. */
export function deadlineOf({ started, timedOut }: HistoryIndex): TimerId[] {
  if (started?.deadline_ms === undefined || timedOut) return [];
  return [{ deadlineMs: saturatedNumber(started.deadline_ms) }];
}
