/**
 * Owns the events that one turn adds to history. Each event gets the next id and its envelope, and is added to the
 * index before the next one is created, because later events of the turn may depend on it. Ids have no gap within a
 * turn.
 */
import type { Clock } from "../../contract/clock.ts";
import { invariant } from "../../errors/invariant.ts";
import type { EventOf, EventPayloads, EventType, HistoryEvent } from "../../wire/event.ts";
import type { U64 } from "../../wire/integer.ts";
import type { Tags } from "../../wire/tags.ts";
import { DUROXIDE_VERSION } from "../../wire/version.ts";
import type { HistoryIndex } from "./history-index.ts";

export class EventWriter {
  /** The events that this turn adds to history. */
  readonly delta: HistoryEvent[] = [];
  /** The id of the first of them. */
  readonly firstEventId: number;
  readonly #instanceId: string;
  readonly #executionId: number;
  readonly #index: HistoryIndex;
  readonly #clock: Clock;

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

  /** Records decisions of the code in the event that it ran on; false, and no effect, for one of an earlier turn. */
  mark(eventId: U64, decisions: { readonly final?: boolean; readonly patches?: readonly string[] }): boolean {
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
    this.delta.push(event as HistoryEvent);
    this.#index.add(event as HistoryEvent);
    invariant(this.#index.nextEventId === Number(event.event_id) + 1, "history-index.H1");
    return event;
  }
}
