/** The events that a turn stored because of messages. They come before what its code did. */
import { roleOfEvent } from "../replay/calls/table.ts";
import type { EventOf, HistoryEvent } from "../wire/event.ts";

/** The position of the first of the received events that end before `from`. */
export function overReceived(history: readonly HistoryEvent[], from: number): number {
  let at = from;
  while (at > 1 && receivedAt(history, at - 1)) at--;
  return at;
}

export function receivedAt(history: readonly HistoryEvent[], position: number): boolean {
  const event = history[position];
  return event !== undefined && isReceived(event);
}

/** Whether a turn stored the event because of a message. */
export function isReceived(event: HistoryEvent): boolean {
  return isAnswer(event) || event.type === "OrchestrationCancelRequested";
}

export function isAnswer({ type }: HistoryEvent): boolean {
  return roleOfEvent(type)?.is === "answer";
}

/** Whether the event can be the cause of a failed execution. */
export function isCause(event: HistoryEvent): boolean {
  return isFailedCall(event) || event.type === "OrchestrationCancelRequested";
}

export function isFailedCall(
  event: HistoryEvent,
): event is EventOf<"ActivityFailed" | "SubOrchestrationFailed"> {
  return event.type === "ActivityFailed" || event.type === "SubOrchestrationFailed";
}
