/**
 * Waits for events and reads of queues, with what answered them. An arrival answers the oldest open wait of its name
 * (runtime-semantics §2.4, §2.5). A wait whose drop is recorded was never answered: the drop may be recorded after an
 * arrival that came in the same turn, so drops are read first.
 */
import type { EventOf, HistoryEvent, SetAside } from "../wire/event.ts";
import { saturatedNumber } from "../wire/integer.ts";
import { begun, type Draft } from "./draft.ts";
import type { ArrivalStep, SetAsideArrival, Step, UnreadArrival } from "./timeline.ts";

type Waiting = EventOf<"ExternalSubscribed"> | EventOf<"ExternalSubscribedPersistent">;
type Arrival = EventOf<"ExternalEvent"> | EventOf<"ExternalEventPersistent">;

/** The items of one name in order; taking the first costs the same whatever their number. */
class Fifo<T> {
  readonly #items: T[] = [];
  #taken = 0;

  /** The first one that is so, also behind others. */
  takeWhere(holds: (item: T) => boolean): T | undefined {
    const index = this.#items.findIndex((item, at) => at >= this.#taken && holds(item));
    return index < 0 ? undefined : this.#items.splice(index, 1)[0];
  }

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
  readonly #positional = new Map<string, Fifo<Draft<ArrivalStep>>>();
  /** Reads of queues, and waits for kept events. */
  readonly #reading = new Map<string, Fifo<Draft<ArrivalStep>>>();
  /** Names of the kept events that were waited for. */
  readonly #keptEvents = new Set<string>();
  readonly #buffered = new Map<string, Fifo<UnreadArrival>>();
  /** Events that a rewind has sent again, and that wait for a wait. */
  readonly #sentAgain = new Map<string, Fifo<UnreadArrival>>();
  readonly #lost: UnreadArrival[] = [];
  readonly #setAside: SetAsideArrival[] = [];
  /** Ids of redelivered messages by the ids of those that they replace. */
  readonly #replacements = new Map<number, number>();
  /** The highest id of the events that the execution repeats of another one. */
  readonly #repeated: number;

  /** New waits are added to `steps`. */
  constructor(events: readonly HistoryEvent[], steps: Draft<Step>[]) {
    this.#steps = steps;
    const [first] = events;
    const { kept = 0 } = (first?.type === "OrchestrationStarted" && first.revision) || {};
    this.#repeated = Number(kept);
    for (const { type, source_event_id: source } of events) {
      const isDrop =
        type === "ExternalSubscribedCancelled" || type === "ExternalSubscribedPersistentCancelled";
      if (isDrop && source !== null) this.#dropped.add(Number(source));
    }
  }

  get unread(): readonly UnreadArrival[] {
    const buffered = [...this.#buffered.values()].flatMap((fifo) => fifo.rest());
    const named = buffered.map((it) =>
      this.#keptEvents.has(it.name) ? { ...it, kind: "event" as const } : it,
    );
    const sentAgain = [...this.#sentAgain.values()].flatMap((fifo) => fifo.rest());
    return [...this.#lost, ...sentAgain, ...named].sort((a, b) => a.id - b.id);
  }

  get setAside(): readonly SetAsideArrival[] {
    return this.#setAside.map((it) => {
      const replacedBy = this.#replacements.get(it.id);
      return replacedBy === undefined ? it : { ...it, replacedBy };
    });
  }

  wait(event: Waiting): void {
    const isPositional = event.type === "ExternalSubscribed";
    const { name } = event;
    const isKept = !isPositional && event.kept_event === true;
    if (isKept) this.#keptEvents.add(name);
    const kind = isPositional || isKept ? "event" : "queue";
    const step: Draft<ArrivalStep> = { kind, ...begun(event), name, ...(isKept && { keep: true }) };
    this.#steps.push(step);
    this.#byId.set(step.id, step);
    const kept = isPositional ? this.#sentAgain : this.#buffered;
    for (const verdict of event.set_aside ?? []) this.#putAside(kept.get(name)?.take(), verdict);
    if (this.#dropped.has(step.id)) return;
    const message = kept.get(name)?.take();
    if (message === undefined) fifoOf(isPositional ? this.#positional : this.#reading, name).push(step);
    else receive(step, message.data, step.scheduledAtMs);
  }

  arrive(event: Arrival): void {
    const isPositional = event.type === "ExternalEvent";
    const { name, data } = event;
    const atMs = saturatedNumber(event.timestamp_ms);
    const kind = isPositional || event.kept_event === true ? "event" : "queue";
    const arrival: UnreadArrival = { kind, id: Number(event.event_id), name, data, atMs };
    this.#noteReplacement(event);
    const [verdict] = event.set_aside ?? [];
    if (verdict !== undefined) {
      this.#putAside(arrival, verdict);
      return;
    }
    const step = isPositional ? this.#waitFor(name) : this.#reading.get(name)?.take();
    if (step !== undefined) receive(step, data, atMs);
    else if (isPositional && event.sent_again !== true) this.#lost.push(arrival);
    else if (isPositional) fifoOf(this.#sentAgain, name).push(arrival);
    else fifoOf(this.#buffered, name).push(arrival);
  }

  #putAside(arrival: UnreadArrival | undefined, { wait, misfit }: SetAside): void {
    if (arrival !== undefined) this.#setAside.push({ ...arrival, stepId: Number(wait), misfit });
  }

  /** A retry or a rewind keeps the ids of the events that it repeats. */
  #noteReplacement({ replaces, event_id, execution_id }: Arrival): void {
    if (replaces === undefined) return;
    const { execution_id: of, event_id: id } = replaces;
    if (of === execution_id || Number(id) <= this.#repeated)
      this.#replacements.set(Number(id), Number(event_id));
  }

  /** An event that was raised by its name only reaches the wait for a kept one where no other is open. */
  #waitFor(name: string): Draft<ArrivalStep> | undefined {
    const step = this.#positional.get(name)?.take();
    return step ?? this.#reading.get(name)?.takeWhere(({ kind }) => kind === "event");
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
