/**
 * Counts the turns of an execution. A history does not show them, because a turn leaves only its events. The first
 * event of each turn therefore gets a field `turn`, which Rust ignores; without a meter nothing is written. Turns of
 * runtimes without a meter, including Rust's, and turns that change nothing are not counted.
 */
import type { HistoryEvent } from "../../wire/event.ts";

export class TurnCounts {
  /** Counts of executions in memory, whose history is not read again, by the object that identifies the execution. */
  readonly #known = new WeakMap<object, number>();

  /** The number of committed turns. */
  before(memory: object, history: readonly HistoryEvent[]): number {
    return this.#known.get(memory) ?? lastTurn(history);
  }

  set(memory: object, turns: number): void {
    this.#known.set(memory, turns);
  }
}

/** Marks the first event of a turn. */
export function withTurn(events: readonly HistoryEvent[], turn: number): readonly HistoryEvent[] {
  const [first, ...rest] = events;
  return first === undefined ? events : [Object.assign({}, first, { turn }), ...rest];
}

/** Searches from the end: the last mark is at most one turn's events away. */
function lastTurn(history: readonly HistoryEvent[]): number {
  for (let position = history.length - 1; position >= 0; position--) {
    const event: object | undefined = history[position];
    const turn: unknown = event !== undefined && "turn" in event ? event.turn : undefined;
    if (typeof turn === "number" && Number.isSafeInteger(turn)) return turn;
  }
  return 0;
}
