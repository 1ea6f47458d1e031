/** The steps of a history: each schedule event with what answered it. */
import { SYSTEM_CALL_PREFIX } from "../define/definitions.ts";
import { childInstanceId } from "../replay/calls/child-id.ts";
import type { EventOf, HistoryEvent } from "../wire/event.ts";
import { saturatedNumber } from "../wire/integer.ts";
import { sentMessage } from "../wire/sent-message.ts";
import { ArrivalSteps } from "./arrival-steps.ts";
import { AttemptsOfHistory } from "./attempts-of-history.ts";
import { begun, type Draft } from "./draft.ts";
import { QuestionSteps } from "./question-steps.ts";
import type {
  ChildStep,
  SetAsideArrival,
  Step,
  StepOutcome,
  SystemStep,
  TimerStep,
  UnreadArrival,
} from "./timeline.ts";

/** Data of the execution beside its events. */
export interface Bounds {
  /** Set where it has ended: no step is open any more. */
  readonly endedAtMs?: number;
  /** Set where an operator began it. */
  readonly begunByHandAtMs?: number;
}

export class StepsOfHistory {
  readonly steps: Draft<Step>[] = [];
  readonly #attempts = new AttemptsOfHistory(this.steps);
  readonly #questions = new QuestionSteps(this.steps);
  readonly #arrivals: ArrivalSteps;
  /** Timers, children and system calls by the id of their schedule event. */
  readonly #answered = new Map<number, Draft<TimerStep | ChildStep | SystemStep>>();

  constructor(events: readonly HistoryEvent[], { endedAtMs, begunByHandAtMs }: Bounds) {
    this.#arrivals = new ArrivalSteps(events, this.steps);
    for (const event of events) {
      this.#add(event);
      for (const id of event.dropped_timers ?? [])
        this.#dropTimer(Number(id), saturatedNumber(event.timestamp_ms));
    }
    if (begunByHandAtMs !== undefined) this.#attempts.queuedAgain(begunByHandAtMs);
    this.#attempts.settle();
    if (endedAtMs === undefined) return;
    for (const step of this.steps) if (step.outcome === "open") end(step, "dropped", endedAtMs);
  }

  get unread(): readonly UnreadArrival[] {
    return this.#arrivals.unread;
  }

  get setAside(): readonly SetAsideArrival[] {
    return this.#arrivals.setAside;
  }

  #add(event: HistoryEvent): void {
    switch (event.type) {
      case "ActivityScheduled":
        if (event.name.startsWith(SYSTEM_CALL_PREFIX)) this.#addSystemCall(event);
        else this.#attempts.schedule(event);
        break;
      case "TimerCreated":
        if (!this.#attempts.takeTimer(event)) this.#addTimer(event);
        break;
      case "SubOrchestrationScheduled":
        this.#addChild(event);
        break;
      case "OrchestrationChained":
        this.#addDetached(event);
        break;
      case "ExternalSubscribed":
      case "ExternalSubscribedPersistent":
        this.#arrivals.wait(event);
        break;
      case "ExternalEvent":
      case "ExternalEventPersistent":
        if (!this.#questions.ask(event)) this.#arrivals.arrive(event);
        break;
      case "KeyValueSet":
        this.#questions.answer(event);
        break;
      default:
        if (event.source_event_id !== null) this.#answer(Number(event.source_event_id), event);
    }
  }

  /** A result, a failure, a fired timer or a drop. */
  #answer(source: number, event: HistoryEvent): void {
    if (this.#attempts.answer(source, event) || this.#arrivals.drop(source, event)) return;
    const step = this.#answered.get(source);
    if (step === undefined || step.outcome !== "open") return;
    end(step, outcomeOf(event), saturatedNumber(event.timestamp_ms));
    if ("result" in event && step.kind !== "timer") step.result = event.result;
    if ("details" in event && step.kind !== "timer") step.failure = event.details;
  }

  #dropTimer(id: number, atMs: number): void {
    if (this.#attempts.dropPause(id, atMs)) return;
    const step = this.#answered.get(id);
    if (step?.outcome === "open") end(step, "dropped", atMs);
  }

  #addTimer(event: EventOf<"TimerCreated">): void {
    const dueAtMs = saturatedNumber(event.fire_at_ms);
    this.#push({ kind: "timer", ...begun(event), dueAtMs });
  }

  #addSystemCall(event: EventOf<"ActivityScheduled">): void {
    const { limit } = event;
    const name = event.name.slice(SYSTEM_CALL_PREFIX.length);
    this.#push({ kind: "system", ...begun(event), name, ...(limit !== undefined && { limit }) });
  }

  #addChild(event: EventOf<"SubOrchestrationScheduled">): void {
    const { name, input, instance, instance_id } = event;
    const childId = childInstanceId(instance_id, instance);
    this.#push({ kind: "child", ...begun(event), name, input, childInstanceId: childId });
  }

  #addDetached(event: EventOf<"OrchestrationChained">): void {
    const { name, input, instance } = event;
    const base = {
      ...begun(event),
      outcome: "completed",
      endedAtMs: saturatedNumber(event.timestamp_ms),
    } as const;
    const sent = sentMessage(name);
    if (sent === undefined) {
      this.steps.push({ kind: "detached", ...base, name, input, startedInstanceId: instance });
      return;
    }
    const channel = sent.call === "raise" ? "event" : "queue";
    this.steps.push({
      kind: "message",
      ...base,
      channel,
      name: sent.name,
      toInstanceId: instance,
      data: input,
    });
  }

  #push(step: Draft<TimerStep | ChildStep | SystemStep>): void {
    this.steps.push(step);
    this.#answered.set(step.id, step);
  }
}

function end(step: Draft<Step>, outcome: StepOutcome, atMs: number): void {
  step.outcome = outcome;
  step.endedAtMs = atMs;
}

function outcomeOf({ type }: HistoryEvent): StepOutcome {
  if (type === "ActivityFailed" || type === "SubOrchestrationFailed") return "failed";
  return type === "ActivityCancelRequested" || type === "SubOrchestrationCancelRequested"
    ? "dropped"
    : "completed";
}
