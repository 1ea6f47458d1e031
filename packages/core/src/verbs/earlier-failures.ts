/**
 * Calls that failed while other branches went on, and ended the execution in a later turn. Their failures are taken out
 * of the history, so that the calls are open again, and what the other branches did stays: nothing is done twice. The
 * other events keep their ids: gaps are legal.
 *
 *   F1  A failure ended the execution if its message is in that of the execution, or of one of its causes. So a failure
 *       that the code caught is left alone, unless it has the same message.
 *   F2  The code did nothing because of it: neither repeated the call nor anything else. Without the failure the code
 *       would not do it again, and differ from history. Where the turn received other answers too, its calls may be
 *       due to these; its drops may not. What the code did in a later turn cannot be told apart: if it was due to the
 *       failure, the next execution is blocked, and rewind helps.
 */
import { roleOfEvent } from "../replay/calls/table.ts";
import { displayMessage, type ErrorDetails, type ThrownDetails } from "../wire/error-details.ts";
import type { HistoryEvent } from "../wire/event.ts";
import type { U64 } from "../wire/integer.ts";
import { isCause, isFailedCall, isReceived, overReceived, receivedAt } from "./received.ts";

/** `undefined` if no failure in `events` ended the execution. */
export function withoutFailures(
  events: readonly HistoryEvent[],
  failure: ErrorDetails,
): readonly HistoryEvent[] | undefined {
  const messages = messagesOf(failure);
  const failed = events.filter(
    (event, at) => isPassedOn(event, messages) && !isRepeated(events, event) && !hasReaction(events, at),
  );
  if (failed.length === 0) return undefined;
  return events.filter((event) => !failed.includes(event));
}

/** F1 */
function isPassedOn(event: HistoryEvent, messages: readonly string[]): boolean {
  if (!isFailedCall(event)) return false;
  const own = displayMessage(event.details);
  return messages.some((message) => (own === "" ? message === "" : message.includes(own)));
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

/** Whether another attempt of the call followed, or the pause before it (F2). */
function isRepeated(events: readonly HistoryEvent[], { source_event_id: source }: HistoryEvent): boolean {
  const isPause = (event: HistoryEvent): boolean =>
    event.type === "TimerCreated" && event.pause_after !== undefined && event.pause_after === source;
  const first = firstAttempt(events, source);
  const isNext = (event: HistoryEvent): boolean =>
    event.type === "ActivityScheduled" && event.retry_of === first && event.event_id > (source ?? 0);
  return events.some((event) => isPause(event) || isNext(event));
}

function firstAttempt(events: readonly HistoryEvent[], id: U64 | null): U64 | null {
  const scheduled = events.find(({ event_id }) => event_id === id);
  return scheduled?.type === "ActivityScheduled" ? (scheduled.retry_of ?? id) : id;
}

/** F2 */
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
