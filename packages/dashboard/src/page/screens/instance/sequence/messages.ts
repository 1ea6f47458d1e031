/**
 * An execution as messages between lanes, in the order of time: what the instance asked for, what answered, and what
 * came from outside. Made from the bars of the timeline.
 */
import { duration } from "../../../browser/format.ts";
import type { Attempt, Bar, TimelineView } from "../../../shapes/instance.ts";
import type { State } from "../../../shapes/states.ts";
import { namedWith } from "../bar-name.ts";

export type LaneKind = "outside" | "instance" | "activity" | "child";

export interface Message {
  readonly atMs: number;
  readonly from: Party;
  /** The same as `from`: something that the instance does by itself. */
  readonly to: Party;
  readonly label: string;
  /** An answer has the state that it gives its call. */
  readonly state?: State;
  /** An answer, not a request. */
  readonly isAnswer: boolean;
  /** The bar that it belongs to; absent for the execution itself. */
  readonly barId?: number;
  /** Work of the bar that the message begins or ends, such as an attempt. */
  readonly work?: string;
}

/** A sender or receiver. `name` is that of an activity or of the orchestration of a child. */
export interface Party {
  readonly kind: LaneKind;
  readonly name: string;
}

const OUTSIDE: Party = { kind: "outside", name: "Outside" };
const INSTANCE: Party = { kind: "instance", name: "Instance" };

export function messagesOf(timeline: TimelineView): readonly Message[] {
  const { startMs, endMs, ended, bars, unread, setAside, cancelRequested } = timeline;
  const messages: Message[] = [request(startMs, OUTSIDE, INSTANCE, "start")];
  // In front of what it drops and begins at the same moment.
  if (cancelRequested !== undefined)
    messages.push(request(cancelRequested.atMs, OUTSIDE, INSTANCE, `cancel: ${cancelRequested.reason}`));
  for (const bar of bars) messages.push(...messagesOfBar(bar));
  for (const { kind, name, atMs } of unread)
    messages.push(request(atMs, OUTSIDE, INSTANCE, `${kind} ${name}, not received`));
  for (const { kind, name, atMs } of setAside)
    messages.push(request(atMs, OUTSIDE, INSTANCE, `${kind} ${name}, set aside`));
  // Messages of one moment keep the order in which they were added.
  messages.sort((a, b) => a.atMs - b.atMs);
  if (endMs !== undefined && ended !== undefined)
    messages.push({
      ...request(endMs, INSTANCE, OUTSIDE, ended === "continued" ? "continued as new" : ended),
      isAnswer: true,
      state: ended === "continued" ? "completed" : ended,
    });
  return messages;
}

function messagesOfBar(bar: Bar): Message[] {
  switch (bar.kind) {
    case "activity":
      return bar.attempts.flatMap((attempt, index) => ofAttempt(bar, attempt, index));
    case "child":
      return ofChild(bar);
    case "detached": {
      const child: Party = { kind: "child", name: bar.name };
      return [{ ...request(bar.startMs, INSTANCE, child, `start ${bar.name}, detached`), barId: bar.id }];
    }
    case "message":
      return [
        {
          ...request(bar.startMs, INSTANCE, OUTSIDE, `send ${namedWith(bar)} to ${bar.child}`),
          barId: bar.id,
        },
      ];
    case "question":
      return ofQuestion(bar);
    case "timer":
      return ofTimer(bar);
    case "event":
    case "queue":
      return ofArrival(bar);
  }
}

function ofAttempt(bar: Bar, attempt: Attempt, index: number): Message[] {
  const activity: Party = { kind: "activity", name: bar.name };
  const work = `${bar.id}.${attempt.id}`;
  const of = bar.maxAttempts === undefined ? "" : ` of ${bar.maxAttempts}`;
  const number = index === 0 ? "" : `, attempt ${index + 1}${of}`;
  const call = { barId: bar.id, work };
  const messages: Message[] = [
    { ...request(attempt.scheduledMs, INSTANCE, activity, `${namedWith(bar)}${number}`), ...call },
  ];
  if (attempt.endMs === undefined) return messages;
  const note = attempt.state === "failed" && attempt.note !== undefined ? `: ${attempt.note}` : "";
  const took = duration(attempt.endMs - (attempt.startedMs ?? attempt.scheduledMs));
  messages.push({
    ...request(attempt.endMs, activity, INSTANCE, `${answerWord(attempt.state)} after ${took}${note}`),
    ...call,
    state: attempt.state,
    isAnswer: true,
  });
  return messages;
}

function ofChild(bar: Bar): Message[] {
  const child: Party = { kind: "child", name: bar.name };
  const call = { barId: bar.id, work: String(bar.id) };
  const start: Message = { ...request(bar.startMs, INSTANCE, child, `start ${namedWith(bar)}`), ...call };
  if (bar.endMs === undefined) return [start];
  const note = bar.state === "failed" && bar.note !== undefined ? `: ${bar.note}` : "";
  const label = `${answerWord(bar.state)} after ${duration(bar.endMs - bar.startMs)}${note}`;
  const answer = request(bar.endMs, child, INSTANCE, label);
  return [start, { ...answer, ...call, state: bar.state, isAnswer: true }];
}

function ofQuestion({ id, name, startMs, endMs, state, note }: Bar): Message[] {
  const asked: Message = { ...request(startMs, OUTSIDE, INSTANCE, `question ${name}`), barId: id };
  if (endMs === undefined) return [{ ...asked, state }];
  const words = state === "completed" ? "answered" : state === "failed" ? "refused" : "not answered";
  const label = note === undefined ? words : `${words}: ${note}`;
  return [asked, { ...request(endMs, INSTANCE, OUTSIDE, label), barId: id, state, isAnswer: true }];
}

function ofTimer(bar: Bar): Message[] {
  const { id, startMs, endMs, dueMs, state } = bar;
  const named = namedWith(bar);
  const begun = dueMs === undefined ? named : `${named} of ${duration(dueMs - startMs)}`;
  const begin: Message = { ...request(startMs, INSTANCE, INSTANCE, begun), barId: id };
  if (endMs === undefined) return [{ ...begin, state }];
  const label =
    state === "completed" ? `${named} fired after ${duration(endMs - startMs)}` : `${named} dropped`;
  return [begin, { ...request(endMs, INSTANCE, INSTANCE, label), barId: id, state, isAnswer: true }];
}

function ofArrival(bar: Bar): Message[] {
  const { id, kind, name, startMs, endMs, state } = bar;
  const begun = `waits for ${kind} ${namedWith(bar)}`;
  const wait: Message = { ...request(startMs, INSTANCE, INSTANCE, begun), barId: id };
  if (endMs === undefined) return [{ ...wait, state }];
  if (state !== "completed") {
    const drop = request(endMs, INSTANCE, INSTANCE, `wait for ${name} dropped`);
    return [wait, { ...drop, barId: id, state, isAnswer: true }];
  }
  return [wait, { ...request(endMs, OUTSIDE, INSTANCE, `${kind} ${name}`), barId: id }];
}

function request(atMs: number, from: Party, to: Party, label: string): Message {
  return { atMs, from, to, label, isAnswer: false };
}

/** A call that the code does not await any more is dropped. */
function answerWord(state: State): string {
  return state === "cancelled" ? "dropped" : state;
}
