/**
 * Decisions that are made once, by the turn that runs the code, and recorded in the event that the code runs on: whether
 * the failure of an attempt is final, and which patches the code has reached. A replay takes them from the event.
 *
 * - decisions.D1: An event gets a decision in its own turn only, so that the decision is stored together with what the
 *   code has done because of it, and a copy of the event has it too. An operator stores a start before its turn: the
 *   first event of the turn has the decisions of both.
 */
import { invariant } from "../../errors/invariant.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import type { U64 } from "../../wire/integer.ts";
import type { EventWriter } from "../history/event-writer.ts";

interface Made {
  final?: boolean;
  patches?: readonly string[];
}

export class Decisions {
  /** The event that the code runs on. */
  #received: HistoryEvent | undefined;
  /** Decisions of this turn, by the id of the event. Few executions have any. */
  #made: Map<U64, Made> | undefined;
  /** The answers of `patched` by id. */
  #patches: Map<string, boolean> | undefined;

  receive(event: HistoryEvent): void {
    this.#received = event;
    this.known(event.patches ?? []);
  }

  /** The patches of a start that was stored before its turn. */
  known(patches: readonly string[]): void {
    for (const id of patches) this.#answer(id, true);
  }

  /**
   * About the failure that the code has just received: as history says; where it says nothing, as judged. The functions
   * of the user run in replays too, because they may change local state, and what they answer there has no effect.
   */
  decideFinal(judged: boolean): boolean {
    const event = this.#received;
    if (event?.type !== "ActivityFailed" && event?.type !== "TimerFired") return judged;
    if (event.final !== undefined) return event.final;
    this.#madeFor(event).final = judged;
    return judged;
  }

  /** Whether the code of the patch runs: it does where no earlier turn has passed the first call for it. */
  decidePatch(id: string, isReplaying: boolean): boolean {
    const known = this.#patches?.get(id);
    const event = this.#received;
    if (known !== undefined || event === undefined) return known ?? false;
    if (!isReplaying) {
      const made = this.#madeFor(event);
      made.patches = [...(made.patches ?? []), id];
    }
    return this.#answer(id, !isReplaying);
  }

  record(writer: EventWriter): void {
    // Also over what it adds for the first event.
    for (const [eventId, made] of this.#made ?? []) {
      if (writer.mark(eventId, made) || made.patches === undefined) continue;
      const [first] = writer.delta;
      invariant(first !== undefined && eventId < first.event_id, "decisions.D1");
      const own = this.#madeFor(first);
      own.patches = [...made.patches, ...(own.patches ?? [])];
    }
    this.#made = undefined;
  }

  #answer(id: string, is: boolean): boolean {
    this.#patches ??= new Map();
    this.#patches.set(id, is);
    return is;
  }

  #madeFor({ event_id: id }: HistoryEvent): Made {
    this.#made ??= new Map();
    const made = this.#made.get(id) ?? {};
    this.#made.set(id, made);
    return made;
  }
}
