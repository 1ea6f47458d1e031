/**
 * How many turns an execution has had. A history does not say: turns leave nothing but their events. So the first
 * event of each turn gets a field `turn`, which Rust ignores; without a meter nothing is written. Turns of
 * runtimes without a meter, Rust's among them, and turns that change nothing are not counted.
 */
import type { HistoryEvent } from "../wire/event.ts";

export class TurnCounts {
  /** Of executions in memory, whose history is not read again, by the object that stands for the execution there. */
  readonly #known = new WeakMap<object, number>();

  /** Turns that are committed. */
  before(memory: object, history: readonly HistoryEvent[]): number {
    return this.#known.get(memory) ?? lastTurn(history);
  }

  remember(memory: object, turns: number): void {
    this.#known.set(memory, turns);
  }
}

/** Marks the first event of a turn. */
export function withTurn(events: readonly HistoryEvent[], turn: number): readonly HistoryEvent[] {
  const [first, ...rest] = events;
  return first === undefined ? events : [Object.assign({}, first, { turn }), ...rest];
}

/** The youngest mark is near the end: no further away than the last turn's events. */
function lastTurn(history: readonly HistoryEvent[]): number {
  for (let position = history.length - 1; position >= 0; position--) {
    const event: object | undefined = history[position];
    const turn: unknown = event !== undefined && "turn" in event ? event.turn : undefined;
    if (typeof turn === "number" && Number.isSafeInteger(turn)) return turn;
  }
  return 0;
}
