/**
 * Waits for events and reads of queues, with what answered them. An arrival answers the oldest open wait of its name
 * (runtime-semantics §2.4, §2.5). A wait whose drop is recorded was never answered: the drop may be recorded after an
 * arrival that came in the same turn, so drops are read first.
 */
import type { EventOf, HistoryEvent } from "../wire/event.ts";
import { saturatedNumber } from "../wire/integer.ts";
import { begun, type Draft } from "./draft.ts";
import type { ArrivalStep, Step, UnreadArrival } from "./timeline.ts";

type Waiting = EventOf<"ExternalSubscribed"> | EventOf<"ExternalSubscribedPersistent">;
type Arrival = EventOf<"ExternalEvent"> | EventOf<"ExternalEventPersistent">;

/** The items of one name in order; taking the first costs the same whatever their number. */
class Fifo<T> {
  readonly #items: T[] = [];
  #taken = 0;

  push(item: T): void {
    this.#items.push(item);
  }

  take(): T | undefined {
    const item = this.#items[this.#taken];
    if (item !== undefined) this.#taken++;
    return item;
  }

  rest(): readonly T[] {
    return this.#items.slice(this.#taken);
  }
}

export class ArrivalSteps {
  readonly #steps: Draft<Step>[];
  readonly #dropped = new Set<number>();
  readonly #byId = new Map<number, Draft<ArrivalStep>>();
  readonly #waiting = new Map<string, Fifo<Draft<ArrivalStep>>>();
  readonly #buffered = new Map<string, Fifo<UnreadArrival>>();
  readonly #lost: UnreadArrival[] = [];

  /** New waits are added to `steps`. */
  constructor(events: readonly HistoryEvent[], steps: Draft<Step>[]) {
    this.#steps = steps;
    for (const { type, source_event_id: source } of events) {
      const isDrop =
        type === "ExternalSubscribedCancelled" || type === "ExternalSubscribedPersistentCancelled";
      if (isDrop && source !== null) this.#dropped.add(Number(source));
    }
  }

  get unread(): readonly UnreadArrival[] {
    const buffered = [...this.#buffered.values()].flatMap((fifo) => fifo.rest());
    return [...this.#lost, ...buffered].sort((a, b) => a.id - b.id);
  }

  wait(event: Waiting): void {
    const kind = event.type === "ExternalSubscribed" ? "event" : "queue";
    const { name } = event;
    const step: Draft<ArrivalStep> = {
      kind,
      ...begun(event),
      name,
    };
    this.#steps.push(step);
    this.#byId.set(step.id, step);
    if (this.#dropped.has(step.id)) return;
    const message = kind === "queue" ? this.#buffered.get(name)?.take() : undefined;
    if (message === undefined) fifoOf(this.#waiting, `${kind} ${name}`).push(step);
    else receive(step, message.data, step.scheduledAtMs);
  }

  arrive(event: Arrival): void {
    const kind = event.type === "ExternalEvent" ? "event" : "queue";
    const { name, data } = event;
    const atMs = saturatedNumber(event.timestamp_ms);
    const step = this.#waiting.get(`${kind} ${name}`)?.take();
    const arrival: UnreadArrival = { kind, id: Number(event.event_id), name, data, atMs };
    if (step !== undefined) receive(step, data, atMs);
    else if (kind === "event") this.#lost.push(arrival);
    else fifoOf(this.#buffered, name).push(arrival);
  }

  /** True if the event records the drop of a wait. */
  drop(source: number, event: HistoryEvent): boolean {
    const step = this.#byId.get(source);
    if (step === undefined) return false;
    step.outcome = "dropped";
    step.endedAtMs = saturatedNumber(event.timestamp_ms);
    return true;
  }
}

function receive(step: Draft<ArrivalStep>, data: string, atMs: number): void {
  step.outcome = "completed";
  step.data = data;
  step.endedAtMs = atMs;
}

function fifoOf<T>(fifos: Map<string, Fifo<T>>, key: string): Fifo<T> {
  const fifo = fifos.get(key) ?? new Fifo<T>();
  fifos.set(key, fifo);
  return fifo;
}
