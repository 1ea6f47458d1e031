/**
 * Facts about an execution's events, kept up to date as events are added, so that a turn costs what is new and
 * not what is old. It knows events only; what the code does with them is LiveExecution's.
 */
import type { EventOf, HistoryEvent } from "../wire/event.ts";
import { isTerminal } from "../wire/event.ts";
import type { U64 } from "../wire/integer.ts";

export type ScheduleFamily = "activity" | "sub-orchestration" | "timer";

interface Schedule {
  readonly family: ScheduleFamily;
  readonly type: HistoryEvent["type"];
  answered: boolean;
}

export class HistoryIndex {
  #maxEventId = 0;
  #eventCount = 0;
  #started: EventOf<"OrchestrationStarted"> | undefined;
  #cancelReason: string | undefined;
  #terminal: HistoryEvent | undefined;
  readonly #schedules = new Map<U64, Schedule>();
  readonly #openActivities = new Set<U64>();
  readonly #openChildren = new Map<U64, EventOf<"SubOrchestrationScheduled">>();
  readonly #openWaits = new OpenSubscriptions();
  readonly #openDequeues = new OpenSubscriptions();
  readonly #bufferedMessages = new Map<string, number>();
  readonly #dropRecorded = new Set<U64>();
  #customStatus: string | null = null;

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

  /** The last completed, failed or continued-as-new event. */
  get terminal(): HistoryEvent | undefined {
    return this.#terminal;
  }

  /** As recorded, for the successor of a continue-as-new. */
  get customStatus(): string | null {
    return this.#customStatus;
  }

  /** Neither answered nor asked to cancel, ascending. */
  get openActivities(): readonly U64[] {
    return [...this.#openActivities].sort(ascending);
  }

  get openChildren(): readonly EventOf<"SubOrchestrationScheduled">[] {
    return [...this.#openChildren.values()];
  }

  get openWaits(): readonly U64[] {
    return this.#openWaits.ids();
  }

  get openDequeues(): readonly U64[] {
    return this.#openDequeues.ids();
  }

  schedule(id: U64): Readonly<Schedule> | undefined {
    return this.#schedules.get(id);
  }

  child(id: U64): EventOf<"SubOrchestrationScheduled"> | undefined {
    return this.#openChildren.get(id);
  }

  /** Whether a cancel event for this schedule stands in history already. */
  isDropRecorded(id: U64): boolean {
    return this.#dropRecorded.has(id);
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
        this.#customStatus = event.initial_custom_status ?? null;
        return;
      case "OrchestrationCancelRequested":
        this.#cancelReason ??= event.reason;
        return;
      case "ActivityScheduled":
        this.#openActivities.add(event.event_id);
        this.#open("activity", event);
        return;
      case "SubOrchestrationScheduled":
        this.#openChildren.set(event.event_id, event);
        this.#open("sub-orchestration", event);
        return;
      case "TimerCreated":
        this.#open("timer", event);
        return;
      case "ActivityCompleted":
      case "ActivityFailed":
      case "SubOrchestrationCompleted":
      case "SubOrchestrationFailed":
      case "TimerFired":
        this.#answer(event);
        return;
      case "ActivityCancelRequested":
      case "SubOrchestrationCancelRequested":
      case "ExternalSubscribedCancelled":
      case "ExternalSubscribedPersistentCancelled":
        this.#cancel(event);
        return;
      case "ExternalSubscribed":
        this.#openWaits.add(event.name, event.event_id);
        return;
      case "ExternalEvent":
        this.#openWaits.takeOldest(event.name);
        return;
      case "ExternalSubscribedPersistent":
        this.#subscribe(event);
        return;
      case "ExternalEventPersistent":
        this.#buffer(event.name);
        return;
      case "CustomStatusUpdated":
        this.#customStatus = event.status;
        return;
    }
  }

  #open(family: ScheduleFamily, event: HistoryEvent): void {
    this.#schedules.set(event.event_id, { family, type: event.type, answered: false });
  }

  #answer({ source_event_id: source }: HistoryEvent): void {
    const schedule = source === null ? undefined : this.#schedules.get(source);
    if (source === null || schedule === undefined) return;
    schedule.answered = true;
    this.#openActivities.delete(source);
    this.#openChildren.delete(source);
  }

  #cancel({ source_event_id: source }: HistoryEvent): void {
    if (source === null) return;
    this.#dropRecorded.add(source);
    this.#openActivities.delete(source);
    this.#openChildren.delete(source);
    this.#openWaits.remove(source);
    this.#openDequeues.remove(source);
  }

  /** A subscription takes a buffered message at once, or waits for the next. */
  #subscribe({ name, event_id }: EventOf<"ExternalSubscribedPersistent">): void {
    const buffered = this.#bufferedMessages.get(name) ?? 0;
    if (buffered > 0) this.#bufferedMessages.set(name, buffered - 1);
    else this.#openDequeues.add(name, event_id);
  }

  #buffer(name: string): void {
    if (this.#openDequeues.takeOldest(name)) return;
    this.#bufferedMessages.set(name, (this.#bufferedMessages.get(name) ?? 0) + 1);
  }
}

/** Subscriptions by name, in history order, that nothing has answered or cancelled. */
class OpenSubscriptions {
  readonly #nameById = new Map<U64, string>();
  readonly #byName = new Map<string, Set<U64>>();

  add(name: string, id: U64): void {
    this.#nameById.set(id, name);
    const ids = this.#byName.get(name);
    if (ids === undefined) this.#byName.set(name, new Set([id]));
    else ids.add(id);
  }

  takeOldest(name: string): boolean {
    const oldest = this.#byName.get(name)?.values().next();
    if (oldest === undefined || oldest.done) return false;
    this.remove(oldest.value);
    return true;
  }

  remove(id: U64): void {
    const name = this.#nameById.get(id);
    if (name === undefined) return;
    this.#nameById.delete(id);
    const ids = this.#byName.get(name);
    ids?.delete(id);
    if (ids?.size === 0) this.#byName.delete(name);
  }

  ids(): readonly U64[] {
    return [...this.#nameById.keys()].sort(ascending);
  }
}

function ascending(a: U64, b: U64): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
