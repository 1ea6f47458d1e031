/**
 * Delivers messages to the calls that wait for them, or sets them aside (docs/decisions/messages.md).
 *
 * - deliveries.DL1: A message is judged once, by the call that it would answer, in the turn in which it would do so. The
 *   verdict is recorded in the event that this turn has: of the message, or of a wait for which it was kept. A replay
 *   takes it from there, whatever the schema says by then.
 * - deliveries.DL2: A message without a verdict whose schema throws is not delivered. The turn is not stored, unless a
 *   cancellation ends the execution, or its handler.
 */
import { invariant } from "../../errors/invariant.ts";
import type { HistoryEvent, SetAside } from "../../wire/event.ts";
import type { U64 } from "../../wire/integer.ts";
import type { DurableCall } from "../calls/durable-call.ts";
import type { EventWriter } from "../history/event-writer.ts";
import type { Defects } from "./defects.ts";
import type { Surroundings } from "./program.ts";

/** The part of a message that is delivered. */
export interface Deliverable {
  readonly eventId: U64;
  readonly name: string;
  readonly data: string;
  readonly isEvent: boolean;
}

/** A message that a turn has set aside, for the log. */
export interface SetAsideMessage {
  /** Name of the event or queue. */
  readonly name: string;
  readonly kind: "event" | "queue";
  readonly eventId: U64;
  readonly waitId: U64;
  readonly reason: string;
}

interface Verdict extends SetAsideMessage {
  /** The event that records it. */
  readonly at: U64;
}

/** The part of the code that deliveries read. */
interface Receiving {
  readonly surroundings: Pick<Surroundings, "codec">;
  readonly isReplaying: boolean;
}

/** The longest reason, and the most of all reasons in one event, in characters. */
const LONGEST_REASON = 500;
const LONGEST_REASONS = 50_000;

export class Deliveries {
  readonly #code: Receiving;
  readonly #defects: Defects;
  /** Messages that the event records as set aside. */
  #recorded: ReadonlySet<U64> = NONE;
  #verdicts: Verdict[] = [];
  #setAside: SetAsideMessage[] = [];

  constructor(code: Receiving, defects: Defects) {
    this.#code = code;
    this.#defects = defects;
  }

  /** The event from which on messages are offered; what it records is obeyed. */
  begin(event: HistoryEvent): void {
    const recorded = "set_aside" in event ? event.set_aside : undefined;
    this.#recorded = recorded === undefined ? NONE : new Set(recorded.map(({ event: id }) => id));
  }

  /** Whether it records that this message was set aside. */
  wasSetAside(eventId: U64): boolean {
    return this.#recorded.has(eventId);
  }

  /** True if the message has answered the call. `at`: the event that the code may run on. */
  offer(call: DurableCall, message: Deliverable, at: U64): boolean {
    if (this.wasSetAside(message.eventId)) return false;
    let reason: string | undefined;
    try {
      reason = call.offer(message.data, this.#code.isReplaying);
    } catch (error) {
      if (this.#defects.noteOfSchema(error)) {
        // Code that goes on without the message would differ from history.
        if (this.#code.isReplaying) this.#defects.check();
        return false;
      }
      call.task.reject(error);
    }
    if (reason === undefined) return true;
    const { eventId, name, isEvent } = message;
    invariant(call.eventId !== undefined, "deliveries.DL1");
    const kind = isEvent ? "event" : "queue";
    const cut = reason.slice(0, LONGEST_REASON).toWellFormed();
    this.#verdicts.push({ at, eventId, waitId: call.eventId ?? at, name, kind, reason: cut });
    return false;
  }

  /** Records the verdicts since the last call in their events. */
  record(writer: EventWriter): void {
    if (this.#verdicts.length === 0) return;
    for (const [at, verdicts] of Map.groupBy(this.#verdicts, ({ at }) => at)) {
      let left = LONGEST_REASONS;
      const entries = verdicts.map(({ eventId, waitId, reason, name }): SetAside => {
        left -= reason.length;
        const misfit = this.#code.surroundings.codec.encode(left < 0 ? "" : reason, "queue-message", name);
        return { event: eventId, wait: waitId, misfit };
      });
      writer.mark(at, { set_aside: entries });
    }
    this.#setAside.push(...this.#verdicts.splice(0));
  }

  /** Messages that were set aside since the last call. */
  takeSetAside(): readonly SetAsideMessage[] {
    return this.#setAside.splice(0);
  }
}

const NONE: ReadonlySet<U64> = new Set();
