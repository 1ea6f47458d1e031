/**
 * Matching of arrivals with those who wait for them, in history order. A wait gets an arrival only if it was
 * bound before; a dequeue also takes what arrived earlier (docs/reference/runtime-semantics.md §2.4, §2.5).
 * A call that is given up is out of the matching at once. Executions that began before 0.1.31 follow
 * legacy-arrivals.ts.
 */
import type { U64 } from "../../wire/integer.ts";
import type { DurableCall } from "../calls/durable-call.ts";

export interface Waits {
  bind(name: string, call: DurableCall): void;
  /** The wait that the arrival answered; without one it is lost. */
  arrive(name: string, data: string): DurableCall | undefined;
  /** Names of the arrivals that were lost since the last call. */
  takeLost(): readonly string[];
  /** History records that the wait was given up. */
  cancelRecorded(id: U64): void;
  /** Before code runs: answers what a recorded cancellation has made answerable. */
  catchUp(): readonly DurableCall[];
}

export interface Queues {
  /** True when a buffered message answered the call at once. */
  bind(name: string, call: DurableCall): boolean;
  /** The dequeue that the message answered; without one it stays. */
  arrive(name: string, data: string): DurableCall | undefined;
  cancelRecorded(id: U64): void;
  catchUp(): readonly DurableCall[];
  /** What no code has read, in arrival order over all names. */
  unread(): readonly QueuedMessage[];
}

const NOBODY: readonly DurableCall[] = [];

/** Positional events: an arrival without a waiter is lost. */
export class PositionalWaits implements Waits {
  #waiting: CallsByName | undefined;
  #lost: string[] = [];

  bind(name: string, call: DurableCall): void {
    if (call.dropped) return;
    this.#waiting ??= new Map();
    push(this.#waiting, name, call);
  }

  arrive(name: string, data: string): DurableCall | undefined {
    const call = nextAlive(this.#waiting?.get(name));
    if (call === undefined) this.#lost.push(name);
    call?.succeed(data);
    return call;
  }

  takeLost(): readonly string[] {
    const lost = this.#lost;
    this.#lost = [];
    return lost;
  }

  cancelRecorded(): void {}

  catchUp(): readonly DurableCall[] {
    return NOBODY;
  }
}

/** Persistent queues: messages stay, in order, until they are read. */
export class MessageQueues implements Queues {
  #waiting: CallsByName | undefined;
  #buffered: Map<string, QueuedMessage[]> | undefined;
  /** Handed to a dequeue that nobody awaited yet; whether it was read is known when the execution ends. */
  readonly #delivered: DeliveredMessage[] = [];
  #arrivals = 0;

  bind(name: string, call: DurableCall): boolean {
    if (call.dropped) return false;
    const message = this.#buffered?.get(name)?.shift();
    if (message === undefined) {
      this.#waiting ??= new Map();
      push(this.#waiting, name, call);
      return false;
    }
    this.#deliver(message, call);
    return true;
  }

  arrive(name: string, data: string): DurableCall | undefined {
    const message = { name, data, position: this.#arrivals++ };
    const call = nextAlive(this.#waiting?.get(name));
    if (call === undefined) this.#keep(message);
    else this.#deliver(message, call);
    return call;
  }

  cancelRecorded(): void {}

  catchUp(): readonly DurableCall[] {
    return NOBODY;
  }

  /** Buffered messages, and those handed to a dequeue whose result nobody ever asked for. */
  unread(): readonly QueuedMessage[] {
    const unobserved = this.#delivered.filter(({ call }) => !call.task.observed);
    const messages = [
      ...[...(this.#buffered?.values() ?? [])].flat(),
      ...unobserved.map(({ message }) => message),
    ];
    return messages.sort((a, b) => a.position - b.position);
  }

  #keep(message: QueuedMessage): void {
    this.#buffered ??= new Map();
    push(this.#buffered, message.name, message);
  }

  #deliver(message: QueuedMessage, call: DurableCall): void {
    if (!call.task.observed) this.#delivered.push({ message, call });
    call.succeed(message.data);
  }
}

type CallsByName = Map<string, DurableCall[]>;

export interface QueuedMessage {
  readonly name: string;
  readonly data: string;
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

/** Takes the oldest call that was not dropped meanwhile. */
function nextAlive(calls: DurableCall[] | undefined): DurableCall | undefined {
  if (calls === undefined) return undefined;
  for (;;) {
    const call = calls.shift();
    if (call === undefined || !call.dropped) return call;
  }
}
