/**
 * The table of durable calls. All look-ups by event type or by message kind are derived from it once, when this file is
 * loaded. To add a call, add a file beside this one, a line here and a method in the context.
 */
import type { EventType } from "../../wire/event.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";
import { ACTIVITY } from "./activity.ts";
import { CUSTOM_STATUS } from "./custom-status.ts";
import { DEQUEUE } from "./dequeue.ts";
import { DETACHED } from "./detached.ts";
import { EVENT_WAIT } from "./event-wait.ts";
import { KV_CLEAR, KV_CLEAR_ALL, KV_SET } from "./key-values.ts";
import type { Answer, CallKind } from "./kind.ts";
import { SUB_ORCHESTRATION } from "./sub-orchestration.ts";
import { TIMER } from "./timer.ts";

/** The drops of one turn are recorded in this order, which is visible in histories. */
export const CALLS: readonly CallKind[] = [
  ACTIVITY,
  SUB_ORCHESTRATION,
  EVENT_WAIT,
  DEQUEUE,
  TIMER,
  DETACHED,
  CUSTOM_STATUS,
  KV_SET,
  KV_CLEAR,
  KV_CLEAR_ALL,
];

/** The meaning of an event for a call: the call was made, was answered, or was dropped. */
export type EventRole =
  | { readonly is: "request" | "drop"; readonly kind: CallKind; readonly answer: undefined }
  | AnswerRole;

/** The kind of call that an event or a message answers, and the answer. */
export interface AnswerRole {
  readonly is: "answer";
  readonly kind: CallKind;
  readonly answer: Answer;
}

/** `undefined` for events of the execution itself: its start, its end, a request to cancel it. */
export function roleOfEvent(type: EventType): EventRole | undefined {
  return EVENT_ROLES.get(type);
}

/** `undefined` for messages that answer no call. */
export function roleOfMessage(kind: OrchestratorItem["kind"]): AnswerRole | undefined {
  return MESSAGE_ROLES.get(kind);
}

/** The kind of call that an event records the request of. */
export function requestedBy(type: EventType): CallKind | undefined {
  const role = EVENT_ROLES.get(type);
  return role?.is === "request" ? role.kind : undefined;
}

const EVENT_ROLES = new Map<EventType, EventRole>();
const MESSAGE_ROLES = new Map<OrchestratorItem["kind"], AnswerRole>();

for (const kind of CALLS) {
  EVENT_ROLES.set(kind.schedules, { is: "request", kind, answer: undefined });
  const dropped = kind.drop?.event;
  if (dropped !== undefined) EVENT_ROLES.set(dropped, { is: "drop", kind, answer: undefined });
  for (const answer of kind.answers) {
    const role: AnswerRole = { is: "answer", kind, answer };
    EVENT_ROLES.set(answer.event, role);
    MESSAGE_ROLES.set(answer.message, role);
  }
}
