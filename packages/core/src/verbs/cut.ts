/**
 * Where a history is cut, so that the next execution repeats what is before the cut (docs/decisions/0041).
 *
 *   C1  A cut is at the beginning of a turn. A turn stores what it received, then the calls of the code, then its
 *       drops. With a part of a turn, replayed code would drop calls whose drop history does not record.
 *   C2  Messages that the turn at the cut received are sent again, except for those that the next execution repeats.
 *   C3  A call that failed in an earlier turn, while other branches went on, is open again, and what they have done
 *       stays, so that nothing is done twice. The other events keep their ids: gaps are legal.
 */
import { roleOfEvent } from "../replay/calls/table.ts";
import {
  cancellationOf,
  displayMessage,
  type ErrorDetails,
  type ThrownDetails,
} from "../wire/error-details.ts";
import { type EventOf, type HistoryEvent, isTerminal } from "../wire/event.ts";

/** A history in two parts. */
export interface Cut {
  /** The events that the next execution begins with. */
  readonly kept: readonly HistoryEvent[];
  /** Events that were received after these, and are sent again as messages. */
  readonly resent: readonly HistoryEvent[];
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
  return { kept, resent, dropped };
}

/**
 * Cuts before the failure: drops the failures that the last turn received, and a cancellation, or the failures of
 * earlier turns that ended the execution (C3). Refused if the code failed by itself, because it would fail again.
 */
export function cutBeforeFailure(history: readonly HistoryEvent[]): Cut | NoCut {
  const end = history.findLastIndex(isTerminal);
  const failure = history[end];
  if (failure?.type !== "OrchestrationFailed") return { refused: "it has not failed" };
  const at = lastTurnAt(history, end);
  const dropped = history.slice(at);
  const received = dropped.filter(isReceived);
  const isByCode = "Application" in failure.details && !received.some(isCause);
  const kept = isByCode ? withoutFailures(history.slice(0, at), failure.details) : history.slice(0, at);
  if (kept !== undefined) {
    return { kept, resent: received.filter((event) => isAnswer(event) && !isCause(event)), dropped };
  }
  if (cancellationOf(failure.details) !== undefined) {
    return {
      refused: "it was cancelled, and has cleaned up, so that what it would go on with is undone; restart it",
    };
  }
  return {
    refused: `its code failed, and not an activity or a child, so that it would fail again (${displayMessage(failure.details)}); deploy code that does not fail, then rewind it`,
  };
}

/** The events with calls open again whose failures ended the execution (C3); `undefined` if there are none. */
function withoutFailures(
  events: readonly HistoryEvent[],
  failure: ErrorDetails,
): readonly HistoryEvent[] | undefined {
  const messages = messagesOf(failure);
  const isPassedOn = (event: HistoryEvent): boolean =>
    isFailedCall(event) && messages.some((message) => message.includes(displayMessage(event.details)));
  const failed = events.filter((event, at) => isPassedOn(event) && !hasReaction(events, at));
  if (failed.length === 0) return undefined;
  return events.filter((event) => !failed.includes(event));
}

/** The messages of a failure and of its causes. */
function messagesOf(details: ErrorDetails): readonly string[] {
  const thrown = "Application" in details ? details.Application.thrown : undefined;
  return [displayMessage(details), ...messagesBelow(thrown)];
}

function messagesBelow({ cause, errors = [] }: Partial<ThrownDetails> = {}): readonly string[] {
  const below = cause === undefined ? errors : [cause, ...errors];
  return below.flatMap((each) => [each.message, ...messagesBelow(each)]);
}

/**
 * Whether the code did something in the turn that received the failure. If the turn received other answers as well,
 * its calls may belong to these; its drops may not.
 */
function hasReaction(events: readonly HistoryEvent[], at: number): boolean {
  const turn = turnWith(events, at);
  const done = turn.filter((event) => !isReceived(event));
  const others = turn.filter((event) => isReceived(event) && !isCause(event));
  return done.some((event) => roleOfEvent(event.type)?.is === "drop" || others.length === 0);
}

/** The events from the first that the turn received to the last that its code did. */
function turnWith(events: readonly HistoryEvent[], at: number): readonly HistoryEvent[] {
  const from = overReceived(events, at);
  let to = at;
  while (to < events.length && receivedAt(events, to)) to++;
  while (to < events.length && !receivedAt(events, to)) to++;
  return events.slice(from, to);
}

/** The position of the turn that ended the execution with the event at `end`. */
function lastTurnAt(history: readonly HistoryEvent[], end: number): number {
  const terminal = history[end];
  const isOfCode = terminal?.type !== "OrchestrationFailed" || "Application" in terminal.details;
  if (isOfCode) return turnAt(history, end);
  // A failure of the system ends a turn without the calls of the code, and often without the received messages.
  let at = end;
  while (at > 1 && isClosing(history[at - 1])) at--;
  return overReceived(history, at);
}

/** The position at which the turn began that stored the event before `end`; `end` if a turn begins there (C1). */
function turnAt(history: readonly HistoryEvent[], end: number): number {
  const next = history[end];
  let at = end;
  if (next !== undefined && !isReceived(next)) while (at > 1 && !receivedAt(history, at - 1)) at--;
  return overReceived(history, at);
}

function overReceived(history: readonly HistoryEvent[], from: number): number {
  let at = from;
  while (at > 1 && receivedAt(history, at - 1)) at--;
  return at;
}

function receivedAt(history: readonly HistoryEvent[], position: number): boolean {
  const event = history[position];
  return event !== undefined && isReceived(event);
}

/** Whether a turn stored the event because of a message. */
function isReceived(event: HistoryEvent): boolean {
  return isAnswer(event) || event.type === "OrchestrationCancelRequested";
}

function isAnswer({ type }: HistoryEvent): boolean {
  return roleOfEvent(type)?.is === "answer";
}

/** Whether the event can be the cause of a failed execution. */
function isCause(event: HistoryEvent): boolean {
  return isFailedCall(event) || event.type === "OrchestrationCancelRequested";
}

function isFailedCall(event: HistoryEvent): event is EventOf<"ActivityFailed" | "SubOrchestrationFailed"> {
  return event.type === "ActivityFailed" || event.type === "SubOrchestrationFailed";
}

function isSentByClient({ type }: HistoryEvent): boolean {
  return type === "ExternalEvent" || type === "ExternalEventPersistent";
}

/** Whether the event belongs to those just before the end of an execution. */
function isClosing(event: HistoryEvent | undefined): boolean {
  return event !== undefined && "reason" in event && event.reason === "orchestration_terminal";
}
