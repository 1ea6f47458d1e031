/**
 * Owns the facts about its execution's events that a turn needs. The event writer adds each new event; all other parts
 * only read. The index has facts about events only; LiveExecution owns the state of the code.
 *
 * - history-index.H1: It always equals the index of the whole history (`of`), so the cost of a turn depends only on its
 *   new events. Exception: timers that the code dropped, which history does not record. The turn notes them
 *   (`noteDropped`).
 * - history-index.H2: A call is open from its schedule event to its first answer or cancel event. Which arrival answers
 *   which call of a name follows the rules of arrivals.ts; a call that the code dropped is open until its cancel event.
 */
import { ChurningMap } from "../../collections/churning-map.ts";
import type { EventOf, HistoryEvent } from "../../wire/event.ts";
import { isTerminal } from "../../wire/event.ts";
import { tagsAfter } from "../../wire/event-tags.ts";
import type { U64 } from "../../wire/integer.ts";
import { NO_TAGS, type Tags } from "../../wire/tags.ts";
import type { CallKind } from "../calls/kind.ts";
import { type EventRole, roleOfEvent } from "../calls/table.ts";

export interface Schedule {
  readonly id: U64;
  readonly kind: CallKind;
  /** The name of the activity, child, event or queue; empty for a timer. */
  readonly name: string;
  /** The child's id as recorded. */
  readonly childId: string | undefined;
  /** Time at which a timer is due, ms since the epoch. */
  readonly fireAtMs: U64 | undefined;
  /** The attempt whose wait for a worker the timer limits. */
  readonly queueLimitOf: U64 | undefined;
  answered: boolean;
  /** Whether history has a cancel event for it, or the timer was dropped. */
  cancelRecorded: boolean;
}

export class HistoryIndex {
  #maxEventId = 0;
  #eventCount = 0;
  #started: EventOf<"OrchestrationStarted"> | undefined;
  #tags: Tags = NO_TAGS;
  #cancelReason: string | undefined;
  #timedOut = false;
  #cleansUp = false;
  #cancelledAgain = false;
  #terminal: HistoryEvent | undefined;
  readonly #schedules = new Map<U64, Schedule>();
  /** Open schedules in history order (history-index.H2). */
  readonly #open = new ChurningMap<U64, Schedule>();
  /**
   * The number of messages that no dequeue has taken, by queue. Created when first needed: few executions use queues,
   * and thousands of indexes are kept in memory.
   */
  #buffered: Map<string, number> | undefined;
  /** The number of events that were sent again and that no wait has taken, by name (arrivals.A7). */
  #sentAgain: Map<string, number> | undefined;

  static of(events: readonly HistoryEvent[]): HistoryIndex {
    const index = new HistoryIndex();
    for (const event of events) index.add(event);
    return index;
  }

  /** The next event id; gaps are legal, repetitions are not. */
  get nextEventId(): number {
    return this.#maxEventId + 1;
  }

  get eventCount(): number {
    return this.#eventCount;
  }

  get started(): EventOf<"OrchestrationStarted"> | undefined {
    return this.#started;
  }

  /** The tags of the instance after the last turn, as history says. */
  get tags(): Tags {
    return this.#tags;
  }

  get cancelReason(): string | undefined {
    return this.#cancelReason;
  }

  /** Whether the deadline of the instance ends it. */
  get timedOut(): boolean {
    return this.#timedOut;
  }

  /**
   * Whether the code has registered a clean-up, so that a cancellation needs it (docs/decisions/sagas.md).
   */
  get cleansUp(): boolean {
    return this.#cleansUp;
  }

  /** Whether a second cancellation ends the clean-up. */
  get cancelledAgain(): boolean {
    return this.#cancelledAgain;
  }

  /** The last completed, failed or continued-as-new event. */
  get terminal(): HistoryEvent | undefined {
    return this.#terminal;
  }

  /** The number of remembered calls, as a measure of memory. */
  get scheduleCount(): number {
    return this.#schedules.size;
  }

  schedule(id: U64): Readonly<Schedule> | undefined {
    return this.#schedules.get(id);
  }

  /** The open calls of one kind (history-index.H2), ascending. */
  open(kind: CallKind): readonly Readonly<Schedule>[] {
    const open = this.#open.values().filter((schedule) => schedule.kind === kind);
    return open.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  add(event: HistoryEvent): void {
    this.count(event);
    this.match(event);
  }

  /** Takes the id of an event whose calls are found later (`match`). */
  count(event: HistoryEvent): void {
    this.#eventCount++;
    this.#maxEventId = Math.max(this.#maxEventId, Number(event.event_id));
  }

  /** Finds the calls of a counted event. */
  match(event: HistoryEvent): void {
    if (event.on_cancel === true) this.#cleansUp = true;
    const role = roleOfEvent(event.type);
    if (role === undefined) this.#addToExecution(event);
    else this.#addToCall(role, event);
    this.#tags = tagsAfter(this.#tags, event);
  }

  /** The code dropped the timer: its message is removed from the queue, or was removed by an earlier commit. */
  noteDropped(id: U64): void {
    this.#close(id, "drop");
  }

  /** The last event was marked after it was added. */
  markCleanUp(): void {
    this.#cleansUp = true;
  }

  /** The last event was marked after it was added. */
  markTags(tags: Tags): void {
    this.#tags = tags;
  }

  #addToExecution(event: HistoryEvent): void {
    if (event.type === "OrchestrationStarted") this.#started ??= event;
    else if (event.type === "OrchestrationCancelRequested") {
      this.#cancelledAgain = this.#cancelReason !== undefined;
      this.#timedOut ||= this.#cancelReason === undefined && event.deadline_ms !== undefined;
      this.#cancelReason ??= event.reason;
    } else if (isTerminal(event)) this.#terminal = event;
  }

  #addToCall({ is, kind }: EventRole, event: HistoryEvent): void {
    if (is === "request") {
      if (kind.answers.length > 0) this.#schedule(kind, event);
    } else if (kind.arrival !== undefined && is === "answer") {
      if (setAsideIn(event) === 0) this.#arrive(kind, event);
    } else if (event.source_event_id !== null) this.#close(event.source_event_id, is);
  }

  #schedule(kind: CallKind, event: HistoryEvent): void {
    const { event_id: id } = event;
    const name = nameIn(event);
    const childId = "instance" in event ? event.instance : undefined;
    const queueLimitOf = "queue_limit_of" in event ? event.queue_limit_of : undefined;
    const fireAtMs = "fire_at_ms" in event ? event.fire_at_ms : undefined;
    const schedule = {
      id,
      kind,
      name,
      childId,
      fireAtMs,
      queueLimitOf,
      answered: false,
      cancelRecorded: false,
    };
    this.#schedules.set(id, schedule);
    this.#open.set(id, schedule);
    const kept = kind.arrival === undefined ? undefined : this.#keptBy(kind);
    for (let count = setAsideIn(event); count > 0; count--) take(kept, name);
    if (take(kept, name)) this.#close(id, "answer");
  }

  /** An arrival answers the oldest open call of its name. */
  #arrive(kind: CallKind, event: HistoryEvent): void {
    const name = nameIn(event);
    const oldest = this.#open.find((schedule) => schedule.kind === kind && schedule.name === name);
    if (oldest !== undefined) this.#close(oldest.id, "answer");
    else if (kind.arrival === "kept") {
      this.#buffered ??= new Map();
      increment(this.#buffered, name);
    } else if ("sent_again" in event) {
      this.#sentAgain ??= new Map();
      increment(this.#sentAgain, name);
    }
  }

  /** Closes the call: it is answered, or history records that it was dropped. */
  #close(id: U64, why: "answer" | "drop"): void {
    const schedule = this.#schedules.get(id);
    if (schedule !== undefined) {
      if (why === "answer") schedule.answered = true;
      else schedule.cancelRecorded = true;
    }
    this.#open.delete(id);
  }

  /** The numbers of arrivals that wait for a call of this kind. */
  #keptBy({ arrival }: CallKind): Map<string, number> | undefined {
    return arrival === "kept" ? this.#buffered : this.#sentAgain;
  }
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Whether there was one. */
function take(counts: Map<string, number> | undefined, name: string): boolean {
  const count = counts?.get(name) ?? 0;
  if (count > 0) counts?.set(name, count - 1);
  return count > 0;
}

function setAsideIn(event: HistoryEvent): number {
  return "set_aside" in event ? (event.set_aside?.length ?? 0) : 0;
}

function nameIn(event: HistoryEvent): string {
  return "name" in event ? event.name : "";
}
