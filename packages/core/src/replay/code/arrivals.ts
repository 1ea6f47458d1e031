/**
 * Assigns arrivals to calls in the order of history. Owns the calls that wait by name, and the messages that no call
 * has taken; LiveExecution passes both in.
 *
 * - arrivals.A1: A wait gets an arrival only if it was bound before; without a wait the arrival is lost
 *   (runtime-semantics §2.4).
 * - arrivals.A2: A dequeue also takes what arrived before it. A message stays until a dequeue takes it
 *   (runtime-semantics §2.5).
 * - arrivals.A3: Calls of one name are answered in the order in which they were bound, and take arrivals in the order
 *   in which they arrived, because a replay binds and feeds in the same order, and must give each call the same value.
 * - arrivals.A4: A dropped call gets no arrival; the next arrival goes to the next call at once. In executions begun
 *   before 0.1.31 this takes effect later: legacy-arrivals.ts.
 * - arrivals.A5: An event that was raised by its name only, without a wait for it, answers the oldest open wait for the
 *   kept event of this name. It is not kept for a later one.
 * - arrivals.A6: A message that does not fit the call that it would answer answers none, and is not kept; the call gets
 *   the next one (deliveries.DL1).
 * - arrivals.A7: An event that a rewind sends again, because a wait had received it, is kept until a wait of its name takes
 *   it: the code may have to come there first.
 */
import { invariant } from "../../errors/invariant.ts";
import type { U64 } from "../../wire/integer.ts";
import type { Content } from "../calls/content.ts";
import type { DurableCall } from "../calls/durable-call.ts";
import type { Deliverable, Deliveries } from "./deliveries.ts";

/** An event or a queue message. */
export interface Arrival {
  readonly event_id: U64;
  readonly name: string;
  readonly data: string;
  /** Set for a kept event, which is a message of the queue of its name. */
  readonly kept_event?: boolean;
  /** Set for an event that a rewind sends again (arrivals.A7). */
  readonly sent_again?: boolean;
}

export interface Mailbox {
  /** True if a message that had arrived before answered the call at once. */
  bind(request: Content, call: DurableCall, eventId: U64): boolean;
  /** The call that the arrival answered. */
  arrive(arrival: Arrival): DurableCall | undefined;
  /** History records that the call was dropped. */
  dropRecorded(id: U64): void;
  /** Called before code runs: answers calls to which recorded drops have passed an arrival. */
  catchUp(): readonly DurableCall[];
}

export interface Waits extends Mailbox {
  /** Names of the arrivals that were lost since the last call. */
  takeLost(): readonly string[];
}

export interface Queues extends Mailbox {
  /** Messages that no code has read, in arrival order over all names. */
  unread(): readonly QueuedMessage[];
}

const NONE: readonly DurableCall[] = [];

/** Positional events (arrivals.A1). */
export class PositionalWaits implements Waits {
  #waiting: CallsByName | undefined;
  /** Events that were sent again, by name (arrivals.A7). */
  #sentAgain: Map<string, Deliverable[]> | undefined;
  #lost: string[] = [];
  readonly #queues: MessageQueues;
  readonly #deliveries: Deliveries;

  constructor(queues: MessageQueues, deliveries: Deliveries) {
    this.#queues = queues;
    this.#deliveries = deliveries;
  }

  bind({ name = "" }: Content, call: DurableCall, eventId: U64): boolean {
    if (call.dropped) return false;
    const sentAgain = this.#sentAgain?.get(name);
    for (let next = sentAgain?.shift(); next !== undefined; next = sentAgain?.shift()) {
      if (this.#deliveries.offer(call, next, eventId)) return true;
    }
    this.#waiting ??= new Map();
    push(this.#waiting, name, call);
    return false;
  }

  arrive(arrival: Arrival): DurableCall | undefined {
    const calls = this.#waiting?.get(arrival.name);
    const call = oldestAlive(calls);
    if (call === undefined) return this.#raised(arrival);
    invariant(!call.dropped, "arrivals.A4");
    const { event_id: eventId, name, data } = arrival;
    if (!this.#deliveries.offer(call, { eventId, name, data, isEvent: true }, eventId)) return undefined;
    calls?.shift();
    return call;
  }

  /** arrivals.A5 */
  #raised(arrival: Arrival): DurableCall | undefined {
    const answered = this.#queues.arriveByName(arrival);
    if (answered !== "no wait") return answered;
    const { event_id: eventId, name, data, sent_again } = arrival;
    if (sent_again === true) {
      this.#sentAgain ??= new Map();
      push(this.#sentAgain, name, { eventId, name, data, isEvent: true });
    } else this.#lost.push(name);
    return undefined;
  }

  takeLost(): readonly string[] {
    const lost = this.#lost;
    this.#lost = [];
    return lost;
  }

  dropRecorded(): void {}

  catchUp(): readonly DurableCall[] {
    return NONE;
  }
}

/** Persistent queues (arrivals.A2). */
export class MessageQueues implements Queues {
  #waiting: CallsByName | undefined;
  #buffered: Map<string, QueuedMessage[]> | undefined;
  /** Messages of dequeues that were not awaited yet. Whether the code reads them is known when the execution ends. */
  readonly #delivered: DeliveredMessage[] = [];
  /** Calls that wait for a kept event. */
  #forEvents: Set<DurableCall> | undefined;
  readonly #deliveries: Deliveries;
  #arrivals = 0;

  constructor(deliveries: Deliveries) {
    this.#deliveries = deliveries;
  }

  bind({ name = "", isEvent }: Content, call: DurableCall, eventId: U64): boolean {
    if (call.dropped) return false;
    const buffered = this.#buffered?.get(name);
    for (let next = buffered?.shift(); next !== undefined; next = buffered?.shift()) {
      if (this.#deliver(next, call, eventId)) return true;
    }
    this.#waiting ??= new Map();
    push(this.#waiting, name, call);
    if (isEvent === true) {
      this.#forEvents ??= new Set();
      this.#forEvents.add(call);
    }
    return false;
  }

  arrive(arrival: Arrival): DurableCall | undefined {
    const message = this.#messageOf(arrival);
    const calls = this.#waiting?.get(message.name);
    const call = oldestAlive(calls);
    if (call === undefined) {
      this.#keep(message);
      return undefined;
    }
    if (!this.#deliver(message, call, message.eventId)) return undefined;
    calls?.shift();
    return call;
  }

  /** An event that was raised by its name only (arrivals.A5): the call that it has answered, if it fits. */
  arriveByName(arrival: Arrival): DurableCall | undefined | "no wait" {
    const calls = this.#waiting?.get(arrival.name) ?? [];
    const call = calls.find((each) => !each.dropped && this.#forEvents?.has(each) === true);
    if (call === undefined) return "no wait";
    const message = this.#messageOf({ ...arrival, kept_event: true });
    if (!this.#deliver(message, call, message.eventId)) return undefined;
    calls.splice(calls.indexOf(call), 1);
    return call;
  }

  #messageOf({ event_id: eventId, name, data, kept_event }: Arrival): QueuedMessage {
    return { eventId, name, data, isEvent: kept_event === true, position: this.#arrivals++ };
  }

  dropRecorded(): void {}

  catchUp(): readonly DurableCall[] {
    return NONE;
  }

  /** Buffered messages, and messages of dequeues that were never awaited. */
  unread(): readonly QueuedMessage[] {
    const unobserved = this.#delivered.filter(({ call }) => !call.task.observed);
    const messages = [
      ...[...(this.#buffered?.values() ?? [])].flat(),
      ...unobserved.map(({ message }) => message),
    ];
    return messages.sort((a, b) => a.position - b.position);
  }

  #keep(message: QueuedMessage): void {
    invariant((this.#waiting?.get(message.name)?.length ?? 0) === 0, "arrivals.A3");
    this.#buffered ??= new Map();
    push(this.#buffered, message.name, message);
  }

  /** False if the message does not fit (arrivals.A6). */
  #deliver(message: QueuedMessage, call: DurableCall, at: U64): boolean {
    invariant(!call.dropped, "arrivals.A4");
    if (!this.#deliveries.offer(call, message, at)) return false;
    if (!call.task.observed) this.#delivered.push({ message, call });
    return true;
  }
}

type CallsByName = Map<string, DurableCall[]>;

export interface QueuedMessage extends Deliverable {
  /** Arrival order over all queues of the execution. */
  readonly position: number;
}

interface DeliveredMessage {
  readonly message: QueuedMessage;
  readonly call: DurableCall;
}

function push<T>(lists: Map<string, T[]>, name: string, item: T): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [item]);
  else list.push(item);
}

/** The oldest call that was not dropped; those before it are removed. */
function oldestAlive(calls: DurableCall[] | undefined): DurableCall | undefined {
  while (calls?.[0]?.dropped === true) calls.shift();
  return calls?.[0];
}
