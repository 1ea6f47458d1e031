/**
 * What user code asked for, in call order, before history has given it an event id; and whether an action is
 * the one of the event that an earlier turn wrote for it (docs/reference/runtime-semantics.md §1.5).
 */
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import { samePayload } from "../../payload/same-payload.ts";
import type { EventType, HistoryEvent } from "../../wire/event.ts";
import { saturatedNumber } from "../../wire/integer.ts";
import type { KvCell } from "../code/kv-state.ts";
import type { TypedPayload } from "../history/event-writer.ts";
import type { Attempt } from "./attempt.ts";
import type { DurableCall } from "./durable-call.ts";

export type Action =
  | {
      readonly kind: "activity";
      readonly call: DurableCall;
      readonly name: string;
      readonly input: string;
      readonly sessionId: string | undefined;
      readonly tag: string | undefined;
      /** Of calls with retries. */
      readonly attempt: Attempt | undefined;
    }
  | { readonly kind: "timer"; readonly call: DurableCall; readonly fireAtMs: number }
  | { readonly kind: "wait"; readonly call: DurableCall; readonly name: string }
  | { readonly kind: "dequeue"; readonly call: DurableCall; readonly name: string }
  | {
      readonly kind: "sub-orchestration";
      readonly call: DurableCall;
      readonly name: string;
      readonly input: string;
      /** Absent: derived from the event id. */
      readonly instanceId: string | undefined;
      readonly version: string | undefined;
    }
  | {
      readonly kind: "detached";
      readonly name: string;
      readonly instanceId: string;
      readonly input: string;
      readonly version: string | undefined;
    }
  | { readonly kind: "custom-status"; readonly status: string | null }
  | { readonly kind: "kv-set"; readonly key: string; readonly value: string; readonly cell: KvCell }
  | { readonly kind: "kv-clear"; readonly key: string }
  | { readonly kind: "kv-clear-all" };

type ActionKind = Action["kind"];

type ActionEventType =
  | "ActivityScheduled"
  | "TimerCreated"
  | "ExternalSubscribed"
  | "ExternalSubscribedPersistent"
  | "SubOrchestrationScheduled"
  | "OrchestrationChained"
  | "CustomStatusUpdated"
  | "KeyValueSet"
  | "KeyValueCleared"
  | "KeyValuesCleared";

const EVENT_TYPE: Readonly<Record<ActionKind, ActionEventType>> = {
  activity: "ActivityScheduled",
  timer: "TimerCreated",
  wait: "ExternalSubscribed",
  dequeue: "ExternalSubscribedPersistent",
  "sub-orchestration": "SubOrchestrationScheduled",
  detached: "OrchestrationChained",
  "custom-status": "CustomStatusUpdated",
  "kv-set": "KeyValueSet",
  "kv-clear": "KeyValueCleared",
  "kv-clear-all": "KeyValuesCleared",
};

/** Events that may stand in history without the code asking for them again. */
const TOLERATED: ReadonlySet<EventType> = new Set([
  "CustomStatusUpdated",
  "KeyValueSet",
  "KeyValueCleared",
  "KeyValuesCleared",
]);

/** An event that records an action. */
export type ActionEvent = Extract<HistoryEvent, { type: ActionEventType }>;

const ACTION_EVENT_TYPES: ReadonlySet<EventType> = new Set(Object.values(EVENT_TYPE));

export function isActionEvent(event: HistoryEvent): event is ActionEvent {
  return ACTION_EVENT_TYPES.has(event.type);
}

export function mayGoUnmatched(event: ActionEvent): boolean {
  return TOLERATED.has(event.type);
}

/** The event that records the action. `eventId` names automatic children. */
export function actionEvent(action: Action, eventId: number, executionId: number): TypedPayload {
  switch (action.kind) {
    case "activity":
      return {
        type: "ActivityScheduled",
        payload: {
          name: action.name,
          input: action.input,
          ...(action.sessionId !== undefined && { session_id: action.sessionId }),
          ...(action.tag !== undefined && { tag: action.tag }),
          ...action.attempt?.marks,
        },
      };
    case "timer":
      return { type: "TimerCreated", payload: { fire_at_ms: action.fireAtMs } };
    case "wait":
      return { type: "ExternalSubscribed", payload: { name: action.name } };
    case "dequeue":
      return { type: "ExternalSubscribedPersistent", payload: { name: action.name } };
    case "sub-orchestration": {
      const instance = action.instanceId ?? automaticChildId(eventId, executionId);
      return {
        type: "SubOrchestrationScheduled",
        payload: { name: action.name, instance, input: action.input },
      };
    }
    case "detached": {
      const { name, instanceId, input } = action;
      return { type: "OrchestrationChained", payload: { name, instance: instanceId, input } };
    }
    case "custom-status":
      return { type: "CustomStatusUpdated", payload: { status: action.status } };
    case "kv-set":
      return {
        type: "KeyValueSet",
        payload: { key: action.key, value: action.value, last_updated_at_ms: action.cell.lastUpdatedAtMs },
      };
    case "kv-clear":
      return { type: "KeyValueCleared", payload: { key: action.key } };
    case "kv-clear-all":
      return { type: "KeyValuesCleared", payload: {} };
  }
}

/** What the event that now stands for the action says beyond it. */
export function adoptRecord(action: Action, event: ActionEvent): void {
  if (action.kind === "kv-set" && event.type === "KeyValueSet") {
    action.cell.lastUpdatedAtMs = saturatedNumber(event.last_updated_at_ms);
  } else if (action.kind === "activity" && event.type === "ActivityScheduled") {
    action.attempt?.recordedAs(event);
  }
}

const CHILD_MARKER = "sub::";

/** The recorded suffix of a child without an id of its own (docs/reference/runtime-semantics.md §2.6). */
export function automaticChildId(eventId: number, executionId: number): string {
  return executionId === 1 ? `${CHILD_MARKER}${eventId}` : `${CHILD_MARKER}${executionId}_${eventId}`;
}

/** The child's full id from what SubOrchestrationScheduled records. */
export function childInstanceId(parentId: string, recorded: string): string {
  return recorded.startsWith(CHILD_MARKER) ? `${parentId}::${recorded}` : recorded;
}

type Decoder = Pick<PayloadCodec, "decode">;

/** Whether an earlier run of the action can have written the event. Payloads count by value (docs/decisions/0026). */
export function isRecordOf(action: Action, event: ActionEvent, codec: Decoder): boolean {
  return EVENT_TYPE[action.kind] === event.type && sameContent(action, event, codec);
}

function sameContent(action: Action, event: ActionEvent, codec: Decoder): boolean {
  switch (event.type) {
    case "ActivityScheduled":
      return (
        action.kind === "activity" &&
        action.name === event.name &&
        action.sessionId === (event.session_id ?? undefined) &&
        action.tag === (event.tag ?? undefined) &&
        samePayload(codec, action.input, event.input)
      );
    case "ExternalSubscribed":
    case "ExternalSubscribedPersistent":
      return "name" in action && action.name === event.name;
    case "SubOrchestrationScheduled":
      return "input" in action && action.name === event.name && samePayload(codec, action.input, event.input);
    case "OrchestrationChained":
      return (
        action.kind === "detached" &&
        action.name === event.name &&
        action.instanceId === event.instance &&
        samePayload(codec, action.input, event.input)
      );
    case "KeyValueSet":
      return (
        action.kind === "kv-set" && action.key === event.key && samePayload(codec, action.value, event.value)
      );
    case "KeyValueCleared":
      return action.kind === "kv-clear" && action.key === event.key;
    case "TimerCreated":
    case "CustomStatusUpdated":
    case "KeyValuesCleared":
      return true;
  }
}
