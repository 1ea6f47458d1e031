/**
 * Tells tasks which `Promise.race` awaits them. A race calls `then` of each task like any other code, so a wait that has
 * lost looks like one that the code still awaits, and takes the next message. Only arrays are looked at, because an
 * iterator can be read once.
 */
import { policyInForce } from "./open-turns.ts";
import { replace } from "./replace.ts";

/** The part of a task that a race needs. */
export interface Raced {
  readonly pending: boolean;
  /** Called with each race. */
  noteRace(race: Race): void;
}

/** The tasks of one `Promise.race`. */
export class Race {
  readonly #tasks: readonly Raced[];

  constructor(tasks: readonly Raced[]) {
    this.#tasks = tasks;
  }

  /** Whether another task has decided it. */
  isLostBy(task: Raced): boolean {
    return this.#tasks.some((other) => other !== task && !other.pending);
  }
}

/** Returns a function that undoes it. */
export function watchRaces(): () => void {
  const race = Promise.race;
  const watched = new Proxy(race, {
    apply(method, self, [given, ...rest]: [Iterable<unknown>]) {
      if (policyInForce() === undefined || !Array.isArray(given)) {
        return Reflect.apply(method, self, [given, ...rest]);
      }
      const tasks = given.filter(isRaced);
      if (tasks.length > 0) {
        const noted = new Race(tasks);
        for (const task of tasks) task.noteRace(noted);
      }
      return Reflect.apply(method, self, [given, ...rest]);
    },
  });
  return replace(Promise, "race", watched);
}

function isRaced(value: unknown): value is Raced {
  return typeof value === "object" && value !== null && "noteRace" in value;
}
