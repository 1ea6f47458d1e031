/**
 * Facts about an execution's events, kept up to date as events are added, so that a turn costs what is new and
 * not what is old. It knows events only; what the code does with them is LiveExecution's. There may be thousands
 * of these in memory, so what most executions do not use is made when it is first needed.
 */
import type { EventOf, HistoryEvent } from "../../wire/event.ts";
import { isTerminal } from "../../wire/event.ts";
import type { U64 } from "../../wire/integer.ts";

export type ScheduleFamily = "activity" | "sub-orchestration" | "timer" | "wait" | "dequeue";

type ScheduleEvent = EventOf<
  | "ActivityScheduled"
  | "SubOrchestrationScheduled"
  | "TimerCreated"
  | "ExternalSubscribed"
  | "ExternalSubscribedPersistent"
>;

export interface Schedule {
  readonly id: U64;
  readonly family: ScheduleFamily;
  readonly type: ScheduleEvent["type"];
  /** What the code called it: of activities, children, events and queues. */
  readonly name: string;
  /** The child's id as recorded. */
  readonly childId: string | undefined;
  answered: boolean;
  /** A cancel event for it stands in history. */
  cancelRecorded: boolean;
}

export class HistoryIndex {
  #maxEventId = 0;
  #eventCount = 0;
  #started: EventOf<"OrchestrationStarted"> | undefined;
  #cancelReason: string | undefined;
  #timedOut = false;
  #terminal: HistoryEvent | undefined;
  readonly #schedules = new Map<U64, Schedule>();
  /** Neither answered nor asked to cancel, in history order. */
  readonly #open = new Map<U64, Schedule>();
  /** By queue: messages that arrived before somebody subscribed. */
  #buffered: Map<string, number> | undefined;

  static of(events: readonly HistoryEvent[]): HistoryIndex {
    const index = new HistoryIndex();
    for (const event of events) index.add(event);
    return index;
  }

  /** Where the next event id continues; gaps are legal, repetitions are not. */
  get nextEventId(): number {
    return this.#maxEventId + 1;
  }

  get eventCount(): number {
    return this.#eventCount;
  }

  get started(): EventOf<"OrchestrationStarted"> | undefined {
    return this.#started;
  }

  get cancelReason(): string | undefined {
    return this.#cancelReason;
  }

  /** Whether what ends the instance is its deadline. */
  get timedOut(): boolean {
    return this.#timedOut;
  }

  /** The last completed, failed or continued-as-new event. */
  get terminal(): HistoryEvent | undefined {
    return this.#terminal;
  }

  /** How many calls are remembered: what its memory grows with. */
  get scheduleCount(): number {
    return this.#schedules.size;
  }

  schedule(id: U64): Readonly<Schedule> | undefined {
    return this.#schedules.get(id);
  }

  /** What is neither answered nor asked to cancel, ascending. */
  open(family: ScheduleFamily): readonly Readonly<Schedule>[] {
    const open = [...this.#open.values()].filter((schedule) => schedule.family === family);
    return open.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  add(event: HistoryEvent): void {
    this.#eventCount++;
    this.#maxEventId = Math.max(this.#maxEventId, Number(event.event_id));
    if (isTerminal(event)) this.#terminal = event;
    this.#addByType(event);
  }

  #addByType(event: HistoryEvent): void {
    switch (event.type) {
      case "OrchestrationStarted":
        this.#started ??= event;
        return;
      case "OrchestrationCancelRequested":
        this.#timedOut ||= this.#cancelReason === undefined && event.deadline_ms !== undefined;
        this.#cancelReason ??= event.reason;
        return;
      case "ActivityScheduled":
        this.#schedule("activity", event, event.name);
        return;
      case "SubOrchestrationScheduled":
        this.#schedule("sub-orchestration", event, event.name, event.instance);
        return;
      case "TimerCreated":
        this.#schedule("timer", event, "");
        return;
      case "ExternalSubscribed":
        this.#schedule("wait", event, event.name);
        return;
      case "ExternalSubscribedPersistent":
        this.#schedule("dequeue", event, event.name);
        if (this.#takeBuffered(event.name)) this.#answer(event.event_id);
        return;
      case "ExternalEvent":
        this.#answerOldest("wait", event.name);
        return;
      case "ExternalEventPersistent":
        if (!this.#answerOldest("dequeue", event.name)) this.#buffer(event.name);
        return;
      default:
        this.#addReference(event);
    }
  }

  /** Events that refer to a schedule by its id. */
  #addReference({ type, source_event_id: source }: HistoryEvent): void {
    if (source === null) return;
    if (COMPLETIONS.has(type)) this.#answer(source);
    else if (CANCELLATIONS.has(type)) this.#cancel(source);
  }

  #schedule(
    family: ScheduleFamily,
    { event_id: id, type }: ScheduleEvent,
    name: string,
    childId?: string,
  ): void {
    const schedule = { id, family, type, name, childId, answered: false, cancelRecorded: false };
    this.#schedules.set(id, schedule);
    this.#open.set(id, schedule);
  }

  #answer(id: U64): void {
    const schedule = this.#schedules.get(id);
    if (schedule !== undefined) schedule.answered = true;
    this.#open.delete(id);
  }

  #cancel(id: U64): void {
    const schedule = this.#schedules.get(id);
    if (schedule !== undefined) schedule.cancelRecorded = true;
    this.#open.delete(id);
  }

  #answerOldest(family: ScheduleFamily, name: string): boolean {
    for (const schedule of this.#open.values()) {
      if (schedule.family !== family || schedule.name !== name) continue;
      this.#answer(schedule.id);
      return true;
    }
    return false;
  }

  #buffer(name: string): void {
    this.#buffered ??= new Map();
    this.#buffered.set(name, (this.#buffered.get(name) ?? 0) + 1);
  }

  #takeBuffered(name: string): boolean {
    const count = this.#buffered?.get(name) ?? 0;
    if (count > 0) this.#buffered?.set(name, count - 1);
    return count > 0;
  }
}

const COMPLETIONS: ReadonlySet<HistoryEvent["type"]> = new Set([
  "ActivityCompleted",
  "ActivityFailed",
  "SubOrchestrationCompleted",
  "SubOrchestrationFailed",
  "TimerFired",
]);

const CANCELLATIONS: ReadonlySet<HistoryEvent["type"]> = new Set([
  "ActivityCancelRequested",
  "SubOrchestrationCancelRequested",
  "ExternalSubscribedCancelled",
  "ExternalSubscribedPersistentCancelled",
]);
