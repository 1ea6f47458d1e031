/**
 * Owns the events that one turn adds to history. Each event gets the next id and its envelope, and is added to the
 * index before the next one is created, because later events of the turn may depend on it. Ids have no gap within a
 * turn.
 *
 * - event-writer.EW1: The index finds the calls of received messages and of waits later, once it is known which messages
 *   were set aside: before the next event of the code, and before the turn reads which calls are open (`settle`).
 */
import type { Clock } from "../../contract/clock.ts";
import { invariant } from "../../errors/invariant.ts";
import type { EventOf, EventPayloads, EventType, HistoryEvent, SetAside } from "../../wire/event.ts";
import type { U64 } from "../../wire/integer.ts";
import type { Tags } from "../../wire/tags.ts";
import { DUROXIDE_VERSION } from "../../wire/version.ts";
import type { HistoryIndex } from "./history-index.ts";

/** Decisions that an event records. */
interface Decided {
  readonly final?: boolean;
  readonly patches?: readonly string[];
  readonly set_aside?: readonly SetAside[];
}

export class EventWriter {
  /** The events that this turn adds to history. */
  readonly delta: HistoryEvent[] = [];
  /** The id of the first of them. */
  readonly firstEventId: number;
  readonly #instanceId: string;
  readonly #executionId: number;
  readonly #index: HistoryIndex;
  readonly #clock: Clock;
  /** Places in `delta` of the events whose calls the index does not know yet (event-writer.EW1). */
  readonly #unmatched: number[] = [];

  constructor(instanceId: string, executionId: number, index: HistoryIndex, clock: Clock) {
    this.#instanceId = instanceId;
    this.#executionId = executionId;
    this.#index = index;
    this.firstEventId = index.nextEventId;
    this.#clock = clock;
  }

  get nextEventId(): number {
    return this.#index.nextEventId;
  }

  /** Marks the execution as one whose cancellation needs its code; without a new event, a later turn does so. */
  markCleanUp(): void {
    if (this.#markLast({ on_cancel: true })) this.#index.markCleanUp();
  }

  /** Says in the last event of the turn which timers its code has dropped. */
  markDroppedTimers(ids: readonly U64[]): void {
    this.#markLast({ dropped_timers: ids });
  }

  /** Says in the last event of the turn which tags the instance has. False without an event: a later turn does so. */
  markTags(tags: Tags): boolean {
    const isMarked = this.#markLast({ tags_after: tags });
    if (isMarked) this.#index.markTags(tags);
    return isMarked;
  }

  /** False if the turn has no event. */
  #markLast(fields: Pick<HistoryEvent, "on_cancel" | "dropped_timers" | "tags_after">): boolean {
    const last = this.delta.pop();
    if (last === undefined) return false;
    this.delta.push({ ...last, ...fields });
    return true;
  }

  /** Records decisions in an event of the turn; false, and no effect, for one of an earlier turn. */
  mark(eventId: U64, decisions: Decided): boolean {
    const at = this.delta.findIndex(({ event_id }) => event_id === eventId);
    const event = this.delta[at];
    if (event === undefined) return false;
    this.delta[at] = { ...event, ...decisions } as HistoryEvent;
    return true;
  }

  append<T extends EventType>(
    type: T,
    payload: EventPayloads[T],
    sourceEventId: U64 | null = null,
  ): EventOf<T> {
    this.settle();
    return this.receive(type, payload, sourceEventId);
  }

  /** event-writer.EW1 */
  settle(): void {
    if (this.#unmatched.length === 0) return;
    for (const place of this.#unmatched.splice(0)) {
      const event = this.delta[place];
      if (event !== undefined) this.#index.match(event);
    }
  }

  /** Appends the event of a message: those before it may still be set aside. */
  receive<T extends EventType>(
    type: T,
    payload: EventPayloads[T],
    sourceEventId: U64 | null = null,
  ): EventOf<T> {
    const event = {
      event_id: this.#index.nextEventId,
      source_event_id: sourceEventId,
      instance_id: this.#instanceId,
      execution_id: this.#executionId,
      timestamp_ms: this.#clock.now(),
      duroxide_version: DUROXIDE_VERSION,
      type,
      ...(payload as object),
    } as EventOf<T>;
    const place = this.delta.push(event as HistoryEvent) - 1;
    this.#index.count(event as HistoryEvent);
    if (isJudged(type)) this.#unmatched.push(place);
    else this.#index.match(event as HistoryEvent);
    invariant(this.#index.nextEventId === Number(event.event_id) + 1, "history-index.H1");
    return event;
  }
}

function isJudged(type: EventType): boolean {
  return (
    type === "ExternalEvent" ||
    type === "ExternalEventPersistent" ||
    type === "ExternalSubscribed" ||
    type === "ExternalSubscribedPersistent"
  );
}
