/**
 * Where a history is cut, so that the next execution repeats what is before the cut (docs/decisions/0041).
 *
 *   C1  A cut is at the beginning of a turn. A turn stores what it received, then what the code asked for, then what it
 *       dropped. With a part of it, replayed code would drop calls whose drop history does not record.
 *   C2  What the turn at the cut received is not lost: it is sent again, without that which is to be repeated.
 */
import { roleOfEvent } from "../replay/calls/table.ts";
import { displayMessage } from "../wire/error-details.ts";
import { type HistoryEvent, isTerminal } from "../wire/event.ts";

/** A history in two parts. */
export interface Cut {
  /** The events that the next execution begins with. */
  readonly kept: readonly HistoryEvent[];
  /** Events that were received after these, and are sent again as messages. */
  readonly resent: readonly HistoryEvent[];
  /** What the next execution does not repeat. */
  readonly dropped: readonly HistoryEvent[];
}

/** Why an instance cannot be tried again. */
export interface NoCut {
  readonly refused: string;
}

/** Keeps the events up to this one, from the beginning of its turn on as messages. */
export function cutAfter(history: readonly HistoryEvent[], toEvent: number): Cut {
  const next = history.findIndex(({ event_id }) => Number(event_id) > toEvent);
  const end = history.findIndex(isTerminal);
  const wanted = Math.min(...[next, end, history.length].filter((position) => position !== -1));
  const at = wanted === end ? lastTurnAt(history, end) : turnAt(history, wanted);
  const kept = history.slice(0, at);
  const dropped = history.slice(at);
  // What clients have sent is stored nowhere else.
  const resent = dropped.filter(
    (event, index) => isSentByClient(event) || (at + index < wanted && isAnswer(event)),
  );
  return { kept, resent, dropped };
}

/**
 * To before the failure: without the completions that the last turn received as failures, and without a cancellation.
 * Refused if the code failed by itself, because it would do so again.
 */
export function cutBeforeFailure(history: readonly HistoryEvent[]): Cut | NoCut {
  const end = history.findLastIndex(isTerminal);
  const failure = history[end];
  if (failure?.type !== "OrchestrationFailed") return { refused: "it has not failed" };
  const at = lastTurnAt(history, end);
  const dropped = history.slice(at);
  const received = dropped.filter(isReceived);
  const isByCode = "Application" in failure.details && !received.some(isCause);
  if (isByCode) {
    return {
      refused: `its code failed, and not an activity or a child, so that it would fail again (${displayMessage(failure.details)}); deploy code that goes on, then rewind it`,
    };
  }
  const resent = received.filter((event) => isAnswer(event) && !isCause(event));
  return { kept: history.slice(0, at), resent, dropped };
}

/** The position of the turn that ended the execution with the event at `end`. */
function lastTurnAt(history: readonly HistoryEvent[], end: number): number {
  const terminal = history[end];
  const isOfCode = terminal?.type !== "OrchestrationFailed" || "Application" in terminal.details;
  if (isOfCode) return turnAt(history, end);
  // A failure of the system ends a turn without what the code asked for, and often without what it received.
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

/** Whether a turn stored it because of a message. */
function isReceived(event: HistoryEvent): boolean {
  return isAnswer(event) || event.type === "OrchestrationCancelRequested";
}

function isAnswer({ type }: HistoryEvent): boolean {
  return roleOfEvent(type)?.is === "answer";
}

/** What a failed execution failed of. */
function isCause({ type }: HistoryEvent): boolean {
  return (
    type === "ActivityFailed" || type === "SubOrchestrationFailed" || type === "OrchestrationCancelRequested"
  );
}

function isSentByClient({ type }: HistoryEvent): boolean {
  return type === "ExternalEvent" || type === "ExternalEventPersistent";
}

/** Written just before the event that ends an execution. */
function isClosing(event: HistoryEvent | undefined): boolean {
  return event !== undefined && "reason" in event && event.reason === "orchestration_terminal";
}
