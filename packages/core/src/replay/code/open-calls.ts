/**
 * The calls that history has scheduled and not answered, and the mailboxes in which arrivals find them. It settles the
 * call that an answer of history is for.
 *
 * - open-calls.OC1: A dropped call stays here until its answer comes: the work behind it may have ended before the
 *   cancellation reached it, and history then has an answer, which must find a schedule and settle nothing.
 * - open-calls.OC2: An answer that finds no call is nondeterminism: either the code has not made a call that it made
 *   before, or the answer is there twice.
 */
import { ChurningMap } from "../../collections/churning-map.ts";
import type { StepHandler } from "../../define/durable-call-options.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import type { U64 } from "../../wire/integer.ts";
import type { Content } from "../calls/content.ts";
import type { DurableCall } from "../calls/durable-call.ts";
import type { CallKind } from "../calls/kind.ts";
import type { AnswerRole } from "../calls/table.ts";
import { ReplayFailure } from "../replay-failure.ts";
import {
  type Mailbox,
  MessageQueues,
  PositionalWaits,
  type QueuedMessage,
  type Queues,
  type Waits,
} from "./arrivals.ts";
import type { Deliveries } from "./deliveries.ts";
import { LegacyArrivals } from "./legacy-arrivals.ts";

/** Arrivals that the code does not see. */
export interface LostArrivals {
  /** Names of the events that arrived without a wait. */
  readonly events: readonly string[];
  /** Waits that were answered after they had lost a `Promise.race`. */
  readonly unheard: readonly DurableCall[];
  /** Names of the questions without a handler. */
  readonly questions: readonly string[];
}

/** The steps that history has scheduled. */
export interface OpenSteps {
  /** Whether the code has called any. */
  readonly hasSteps: boolean;
  /** The handler of one that history has not answered. */
  stepOf(eventId: U64): StepHandler | undefined;
}

export class OpenCalls implements OpenSteps {
  readonly #calls = new ChurningMap<U64, DurableCall>();
  readonly #deliveries: Deliveries;
  #waits: Waits;
  #queues: Queues;
  #dropsLate = false;
  #hasSteps = false;
  readonly #unheard: DurableCall[] = [];

  constructor(deliveries: Deliveries) {
    this.#deliveries = deliveries;
    const queues = new MessageQueues(deliveries);
    this.#queues = queues;
    this.#waits = new PositionalWaits(queues, deliveries);
  }

  /** Whether the execution was begun before 0.1.31 (LiveExecution.mustReplay). */
  get dropsLate(): boolean {
    return this.#dropsLate;
  }

  get unreadMessages(): readonly QueuedMessage[] {
    return this.#queues.unread();
  }

  /** Before the first call. */
  dropLate(): void {
    this.#waits = new LegacyArrivals(false);
    this.#queues = new LegacyArrivals(true);
    this.#dropsLate = true;
  }

  /** Returns the arrivals lost since the last call of this method. */
  takeLost(questions: readonly string[]): LostArrivals {
    return { events: this.#waits.takeLost(), unheard: this.#unheard.splice(0), questions };
  }

  get hasSteps(): boolean {
    return this.#hasSteps;
  }

  stepOf(eventId: U64): StepHandler | undefined {
    return this.#calls.get(eventId)?.step;
  }

  values(): readonly DurableCall[] {
    return this.#calls.values();
  }

  find(holds: (call: DurableCall) => boolean): DurableCall | undefined {
    return this.#calls.find(holds);
  }

  /** True if code may continue at once, because a message arrived before the dequeue. */
  add(kind: CallKind, request: Content, call: DurableCall, event: HistoryEvent): boolean {
    const { event_id: eventId } = event;
    this.#calls.set(eventId, call);
    if (call.step !== undefined) this.#hasSteps = true;
    if (kind.arrival === undefined) return false;
    this.#deliveries.begin(event);
    return this.#mailbox(kind).bind(request, call, eventId) && this.#close(call);
  }

  /** True if the answer settled a call, so that code may continue. */
  answer({ kind, answer }: AnswerRole, event: HistoryEvent): boolean {
    if (kind.arrival !== undefined && "data" in event) {
      this.#deliveries.begin(event);
      if (this.#deliveries.wasSetAside(event.event_id)) return false;
      const call = this.#mailbox(kind).arrive(event);
      if (call?.task.abandoned === true) this.#unheard.push(call);
      return this.#close(call);
    }
    if (this.#dropsLate) this.#catchUp();
    return answer.settle(this.#take(kind, event), event);
  }

  /** History records the drop of a call. */
  dropRecorded(kind: CallKind, { source_event_id: source }: HistoryEvent): void {
    if (kind.arrival !== undefined && source !== null) this.#mailbox(kind).dropRecorded(source);
  }

  #mailbox({ arrival }: CallKind): Mailbox {
    return arrival === "kept" ? this.#queues : this.#waits;
  }

  /** Closes the call that an arrival answered, if any; true if there was one. */
  #close(call: DurableCall | undefined): boolean {
    if (call?.eventId !== undefined) this.#calls.delete(call.eventId);
    return call !== undefined;
  }

  /** Before a completion runs code, recorded drops may pass arrivals to other calls (legacy-arrivals.A5). */
  #catchUp(): void {
    for (const call of [...this.#waits.catchUp(), ...this.#queues.catchUp()]) this.#close(call);
  }

  /** Removes and returns the open call that a completion answers. */
  #take(kind: CallKind, { source_event_id: source }: HistoryEvent): DurableCall {
    const call = source === null ? undefined : this.#calls.get(source);
    if (source === null || call === undefined) {
      throw ReplayFailure.nondeterminism("completion without open schedule");
    }
    if (kind.checksCompletions && call.kind !== kind) {
      throw ReplayFailure.nondeterminism(`completion kind mismatch: expected ${kind.name}`);
    }
    this.#calls.delete(source);
    return call;
  }
}
