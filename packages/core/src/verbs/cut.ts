/**
 * The place where a history is cut, so that the next execution repeats what is before the cut
 * (docs/decisions/verbs.md).
 *
 * - cut.C1: A cut is at the beginning of a turn. A turn stores what it received, then the calls of the code, then its
 *   drops. With a part of a turn, replayed code would drop calls whose drop history does not record.
 * - cut.C2: Messages that the turn at the cut received are sent again, except for those that the next execution
 *   repeats.
 * - cut.C3: A call that failed in an earlier turn, while other branches went on, is open again (earlier-failures.ts).
 *   If the code reacted to its failure, the retry is refused.
 */
import { cancellationOf, reachesCode } from "../wire/error-details.ts";
import { type HistoryEvent, isTerminal } from "../wire/event.ts";
import { answeringEvents, type Receiver } from "./answering-events.ts";
import { failuresThatEnded, passedOnIn, withoutFailures } from "./earlier-failures.ts";
import { isAnswer, isCause, isReceived, overReceived, receivedAt } from "./received.ts";

/** A history in two parts. */
export interface Cut {
  /** The events that the next execution begins with. */
  readonly kept: readonly HistoryEvent[];
  /** Events that were received after these, and are sent again as messages. */
  readonly resent: readonly HistoryEvent[];
  /** The events of these that a wait had received, where the next execution may not have come to the wait. */
  readonly answering?: ReadonlyMap<HistoryEvent, Receiver>;
  /** The events after the cut. */
  readonly dropped: readonly HistoryEvent[];
}

/** Why an instance cannot be retried. */
export interface NoCut {
  readonly refused: string;
}

/** Keeps the events up to this one. Those of the turn at the cut are kept as messages. */
export function cutAfter(history: readonly HistoryEvent[], toEvent: number): Cut {
  const next = history.findIndex(({ event_id }) => Number(event_id) > toEvent);
  const end = history.findIndex(isTerminal);
  const wanted = Math.min(...[next, end, history.length].filter((position) => position !== -1));
  const at = wanted === end ? lastTurnAt(history, end) : turnAt(history, wanted);
  const kept = history.slice(0, at);
  const dropped = history.slice(at);
  // Messages of clients are stored nowhere else.
  const resent = dropped.filter(
    (event, index) => isSentByClient(event) || (at + index < wanted && isAnswer(event)),
  );
  return { kept, resent, dropped, answering: answeringEvents(history) };
}

/**
 * Cuts before the failure: drops the failures that the last turn received, and a cancellation, or the failures of
 * earlier turns that ended the execution (cut.C3). Refused if the code failed by itself, because it would fail again.
 */
export function cutBeforeFailure(history: readonly HistoryEvent[]): Cut | NoCut {
  const end = history.findLastIndex(isTerminal);
  const failure = history[end];
  if (failure?.type !== "OrchestrationFailed") return { refused: "it has not failed" };
  const at = lastTurnAt(history, end);
  const dropped = history.slice(at);
  const received = dropped.filter(isReceived);
  const before = history.slice(0, at);
  const isPassedOn = passedOnIn(failure.details);
  const isOfLastTurn =
    !reachesCode(failure.details) ||
    received.some((event) => event.type === "OrchestrationCancelRequested" || isPassedOn(event));
  const earlier = isOfLastTurn ? undefined : withoutFailures(before, failure.details);
  if (earlier !== undefined) return { kept: earlier, resent: received.filter(isAnswer), dropped };
  const answered = isOfLastTurn ? undefined : failuresThatEnded(before, failure.details).at(-1);
  if (answered !== undefined) return { refused: reactionTo(Number(answered.event_id)) };
  if (isOfLastTurn || received.some(isCause)) {
    return { kept: before, resent: received.filter((event) => isAnswer(event) && !isCause(event)), dropped };
  }
  if (cancellationOf(failure.details) !== undefined) {
    return {
      refused: "it was cancelled, and has cleaned up, so that what it would go on with is undone; restart it",
    };
  }
  // Without the failure, which may hold what a tool hides.
  return {
    refused:
      "its code failed, and not an activity or a child, so that it would fail again; deploy code that does not fail, then rewind it",
  };
}

/** Another failure of the last turn is no reason to retry: that call would fail again, and the execution as before. */
function reactionTo(eventId: number): string {
  return `event ${eventId} is the failure that ended it, and its code did something else because of that, which a retry cannot undo; rewind it to event ${eventId - 1}`;
}

/** The position of the turn that ended the execution with the event at `end`. */
function lastTurnAt(history: readonly HistoryEvent[], end: number): number {
  const terminal = history[end];
  const isOfCode = terminal?.type !== "OrchestrationFailed" || reachesCode(terminal.details);
  if (isOfCode) return turnAt(history, end);
  // A failure of the system ends a turn without the calls of the code, and often without the received messages.
  let at = end;
  while (at > 1 && isClosing(history[at - 1])) at--;
  return overReceived(history, at);
}

/** The position at which the turn began that stored the event before `end`; `end` if a turn begins there (cut.C1). */
function turnAt(history: readonly HistoryEvent[], end: number): number {
  const next = history[end];
  let at = end;
  if (next !== undefined && !isReceived(next)) while (at > 1 && !receivedAt(history, at - 1)) at--;
  return overReceived(history, at);
}

function isSentByClient({ type }: HistoryEvent): boolean {
  return type === "ExternalEvent" || type === "ExternalEventPersistent";
}

/** Whether the event belongs to those just before the end of an execution. */
function isClosing(event: HistoryEvent | undefined): boolean {
  return event !== undefined && "reason" in event && event.reason === "orchestration_terminal";
}
