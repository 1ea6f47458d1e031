/**
 * Calls that failed while other branches went on, and ended the execution in a later turn. Their failures are taken out
 * of the history, so that the calls are open again, and what the other branches did stays: nothing is done twice. The
 * other events keep their ids: gaps are legal.
 *
 * - earlier-failures.F1: A failure ended the execution if its message is in that of the execution, or of one of its
 *   causes. So a failure that the code caught is left alone, unless it has the same message.
 * - earlier-failures.F2: The code did nothing because of it: neither repeated the call nor anything else. Without the
 *   failure the code would not do it again, and differ from history. Where the turn received other answers too, its
 *   calls may be due to these; its drops may not. The reason for what the code did in a later turn is not recorded: if
 *   it was due to the failure, the next execution is blocked, and rewind helps.
 */
import { roleOfEvent } from "../replay/calls/table.ts";
import { displayMessage, type ErrorDetails, type ThrownDetails } from "../wire/error-details.ts";
import type { HistoryEvent } from "../wire/event.ts";
import type { U64 } from "../wire/integer.ts";
import { isCause, isFailedCall, isReceived, overReceived, receivedAt } from "./received.ts";

/** `undefined` if no failure in `events` ended the execution, or if the code reacted to each that did. */
export function withoutFailures(
  events: readonly HistoryEvent[],
  failure: ErrorDetails,
): readonly HistoryEvent[] | undefined {
  const failed = failuresThatEnded(events, failure).filter((event) => !hasReaction(events, event));
  if (failed.length === 0) return undefined;
  const left = new Set(failed);
  return events.filter((event) => !left.has(event));
}

/** The failures that ended the execution (earlier-failures.F1), without those of attempts that were repeated. */
export function failuresThatEnded(
  events: readonly HistoryEvent[],
  failure: ErrorDetails,
): readonly HistoryEvent[] {
  const repeated = repeatedAttempts(events);
  const isPassedOn = passedOnIn(failure);
  return events.filter((event) => isPassedOn(event) && !repeated.has(event.source_event_id));
}

/** The failed calls that ended an execution with this failure (earlier-failures.F1). */
export function passedOnIn(failure: ErrorDetails): (event: HistoryEvent) => boolean {
  const messages = messagesOf(failure);
  return (event) => {
    if (!isFailedCall(event)) return false;
    const own = displayMessage(event.details);
    return messages.some((message) => (own === "" ? message === "" : message.includes(own)));
  };
}

/** The messages of a failure and of its causes. */
function messagesOf(details: ErrorDetails): readonly string[] {
  if (!("Application" in details)) return [displayMessage(details)];
  // That of a failed clean-up is not displayed.
  const { message, thrown } = details.Application;
  return [displayMessage(details), ...(message === "" ? [] : [message]), ...messagesBelow(thrown)];
}

function messagesBelow({ cause, errors = [] }: Partial<ThrownDetails> = {}): readonly string[] {
  const below = cause === undefined ? errors : [cause, ...errors];
  return below.flatMap((each) => [each.message, ...messagesBelow(each)]);
}

/** The attempts that another attempt of the call followed, or the pause before it (earlier-failures.F2). */
function repeatedAttempts(events: readonly HistoryEvent[]): ReadonlySet<U64 | null> {
  const repeated = new Set<U64>();
  /** Id of the latest attempt, by the id of the first one. */
  const latest = new Map<U64, U64>();
  for (const event of events) {
    if (event.type === "TimerCreated" && event.pause_after !== undefined) repeated.add(event.pause_after);
    if (event.type !== "ActivityScheduled" || event.retry_of === undefined) continue;
    repeated.add(latest.get(event.retry_of) ?? event.retry_of);
    latest.set(event.retry_of, event.event_id);
  }
  return repeated;
}

/** earlier-failures.F2 */
function hasReaction(events: readonly HistoryEvent[], failed: HistoryEvent): boolean {
  const turn = turnWith(events, events.indexOf(failed));
  // The policy of another call that failed in the turn, not the code, did these.
  const done = turn.filter((event) => !isReceived(event) && !isRepetition(event));
  const others = turn.filter((event) => isReceived(event) && !isCause(event));
  return done.some((event) => roleOfEvent(event.type)?.is === "drop" || others.length === 0);
}

/** Whether the event is another attempt of a call, or the pause before it. */
function isRepetition(event: HistoryEvent): boolean {
  return event.type === "TimerCreated"
    ? event.pause_after !== undefined
    : event.type === "ActivityScheduled" && event.retry_of !== undefined;
}

/** The events from the first that the turn received to the last that its code did. */
function turnWith(events: readonly HistoryEvent[], at: number): readonly HistoryEvent[] {
  const from = overReceived(events, at);
  let to = at;
  while (to < events.length && receivedAt(events, to)) to++;
  while (to < events.length && !receivedAt(events, to)) to++;
  return events.slice(from, to);
}
