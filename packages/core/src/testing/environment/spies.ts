/** Timers, children and events of the instances under test, read from the events that were committed. */
import { OrchestrationFailedError } from "../../errors/duroxide-error.ts";
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import { childInstanceId } from "../../replay/calls/child-id.ts";
import type { EventOf } from "../../wire/event.ts";
import { saturatedNumber } from "../../wire/integer.ts";
import { askedQuestion } from "../../wire/question.ts";
import { sentMessage } from "../../wire/sent-message.ts";
import type { HistoryRecorder } from "./history-recorder.ts";

/** A timer of an instance, including those of retries and timeouts of calls. Times are ms since the epoch. */
export interface TimerRecord {
  readonly instanceId: string;
  readonly executionId: number;
  readonly setAtMs: number;
  readonly dueMs: number;
  /** Absent for a timer that has not fired: it is not due, or its instance has ended. */
  readonly firedAtMs?: number;
  /** The pause before a retry, or a limit of an attempt; absent for a timer of the code itself. */
  readonly ofCall?: "pause" | "limit";
  /** The `label` of the call. */
  readonly label?: string;
}

/** A sub-orchestration, or an orchestration that was started detached. */
export interface ChildRecord {
  readonly orchestrationName: string;
  /** The id of the child, as stored. */
  readonly instanceId: string;
  readonly input: unknown;
  readonly parentInstanceId: string;
  readonly detached: boolean;
  readonly outcome: ChildOutcome;
}

/** The current state of a child. */
export type ChildOutcome =
  | { readonly kind: "running" }
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: OrchestrationFailedError };

/** An event or a queue message that an instance received. A kept event is a queue message. */
export interface EventRecord {
  readonly kind: "event" | "queue";
  readonly name: string;
  readonly data: unknown;
  readonly instanceId: string;
  readonly executionId: number;
  /** Time of receipt, ms since the epoch. */
  readonly atMs: number;
  /** Why it did not fit the schema of its wait, which stayed open; absent for a message that fits. */
  readonly misfit?: string;
}

export function timersOf(recorder: HistoryRecorder, instanceId?: string): readonly TimerRecord[] {
  const fired = new Map(
    recorder
      .ofTypes(["TimerFired"], instanceId)
      .map((event) => [callKey(event, event.source_event_id), saturatedNumber(event.timestamp_ms)]),
  );
  return recorder.ofTypes(["TimerCreated"], instanceId).map((event) => {
    const firedAtMs = fired.get(callKey(event, event.event_id));
    return {
      instanceId: event.instance_id,
      executionId: Number(event.execution_id),
      setAtMs: saturatedNumber(event.timestamp_ms),
      dueMs: saturatedNumber(event.fire_at_ms),
      ...(firedAtMs !== undefined && { firedAtMs }),
      ...ofCall(event),
      ...(event.label !== undefined && { label: event.label }),
    };
  });
}

function ofCall({
  pause_after: pauseAfter,
  limit_of: limitOf,
  queue_limit_of: queueLimitOf,
}: EventOf<"TimerCreated">): Pick<TimerRecord, "ofCall"> {
  if (pauseAfter !== undefined) return { ofCall: "pause" };
  return limitOf === undefined && queueLimitOf === undefined ? {} : { ofCall: "limit" };
}

export function childrenOf(
  recorder: HistoryRecorder,
  codec: PayloadCodec,
  parentId?: string,
): readonly ChildRecord[] {
  const started = recorder.ofTypes(["SubOrchestrationScheduled", "OrchestrationChained"], parentId);
  return started.flatMap((event) => {
    const { name, instance_id: parentInstanceId } = event;
    if (sentMessage(name) !== undefined) return [];
    const detached = event.type === "OrchestrationChained";
    const instanceId = detached ? event.instance : childInstanceId(parentInstanceId, event.instance);
    const child = {
      orchestrationName: name,
      instanceId,
      input: codec.decode(event.input),
      parentInstanceId,
      detached,
      outcome: outcomeOf(recorder, codec, instanceId),
    };
    return [child];
  });
}

export function eventsOf(
  recorder: HistoryRecorder,
  codec: PayloadCodec,
  instanceId?: string,
): readonly EventRecord[] {
  const arrived = recorder
    .ofTypes(["ExternalEvent", "ExternalEventPersistent"], instanceId)
    .filter(({ name }) => askedQuestion(name) === undefined);
  const waits = recorder.ofTypes(["ExternalSubscribed", "ExternalSubscribedPersistent"], instanceId);
  const judging = [...arrived, ...waits];
  const misfits = new Map(
    judging.flatMap((at) => (at.set_aside ?? []).map((it) => [callKey(at, it.event), it.misfit])),
  );
  return arrived.map((event) => ({
    kind: event.type === "ExternalEvent" || event.kept_event === true ? "event" : "queue",
    name: event.name,
    data: codec.decode(event.data),
    instanceId: event.instance_id,
    executionId: Number(event.execution_id),
    atMs: saturatedNumber(event.timestamp_ms),
    ...misfitOf(misfits.get(callKey(event, event.event_id)), codec),
  }));
}

function misfitOf(text: string | undefined, codec: PayloadCodec): Pick<EventRecord, "misfit"> {
  return text === undefined ? {} : { misfit: String(codec.decode(text)) };
}

function outcomeOf(recorder: HistoryRecorder, codec: PayloadCodec, instanceId: string): ChildOutcome {
  const end = recorder.ofTypes(["OrchestrationCompleted", "OrchestrationFailed"], instanceId).at(-1);
  if (end === undefined) return { kind: "running" };
  if (end.type === "OrchestrationCompleted") return { kind: "returned", value: codec.decode(end.output) };
  return { kind: "threw", error: new OrchestrationFailedError(instanceId, end.details) };
}

function callKey(
  { instance_id, execution_id }: Pick<EventOf<"TimerCreated">, "instance_id" | "execution_id">,
  eventId: unknown,
): string {
  return JSON.stringify([instance_id, Number(execution_id), Number(eventId)]);
}
