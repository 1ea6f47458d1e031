/**
 * Matching as runtimes before 0.1.31 did it, for the histories that they began: a wait or dequeue that the code
 * gives up keeps its place until history records that, and only then do those behind it move up. Values can
 * thus shift from one wait to the next (docs/reference/runtime-semantics.md §2.4, §2.5).
 */
import type { U64 } from "../../wire/integer.ts";
import { compareSemver, parseSemver, type Semver } from "../../wire/version.ts";
import type { DurableCall } from "../calls/durable-call.ts";
import type { QueuedMessage, Queues, Waits } from "./arrivals.ts";

const FIRST_TO_DROP_AT_ONCE: Semver = { major: 0, minor: 1, patch: 31, prerelease: [] };

/** Whether the runtime that began the execution let given-up waits keep their place (runtime-semantics §1.4). */
export function dropsLate(stamp: string): boolean {
  const version = parseSemver(stamp);
  return version === undefined || compareSemver(version, FIRST_TO_DROP_AT_ONCE) < 0;
}

/** One name: places in bind order, arrivals in history order; the n-th place gets the n-th arrival. */
class Line {
  readonly #places: DurableCall[] = [];
  readonly arrivals: QueuedMessage[] = [];

  get placeCount(): number {
    return this.#places.length;
  }

  bind(call: DurableCall): void {
    this.#places.push(call);
  }

  remove(id: U64): void {
    const index = this.#places.findIndex((call) => call.eventId === id);
    if (index >= 0) this.#places.splice(index, 1);
  }

  /** Answers every place whose arrival is there. */
  settle(): DurableCall[] {
    return this.#places.filter((call, index) => {
      const arrival = this.arrivals[index];
      return arrival !== undefined && call.succeed(arrival.data);
    });
  }
}

class Lines {
  readonly #byName = new Map<string, Line>();

  of(name: string): Line {
    let line = this.#byName.get(name);
    if (line === undefined) {
      line = new Line();
      this.#byName.set(name, line);
    }
    return line;
  }

  all(): Line[] {
    return [...this.#byName.values()];
  }

  remove(id: U64): void {
    for (const line of this.all()) line.remove(id);
  }

  settle(): DurableCall[] {
    return this.all().flatMap((line) => line.settle());
  }
}

export class LegacyWaits implements Waits {
  readonly #lines = new Lines();
  #lost: string[] = [];

  bind(name: string, call: DurableCall): void {
    this.#lines.of(name).bind(call);
  }

  /** Accepted while there are more places than accepted arrivals, whoever still wants them. */
  arrive(name: string, data: string): DurableCall | undefined {
    const line = this.#lines.of(name);
    if (line.placeCount <= line.arrivals.length) {
      this.#lost.push(name);
      return undefined;
    }
    line.arrivals.push({ name, data, position: line.arrivals.length });
    return line.settle()[0];
  }

  takeLost(): readonly string[] {
    const lost = this.#lost;
    this.#lost = [];
    return lost;
  }

  cancelRecorded(id: U64): void {
    this.#lines.remove(id);
  }

  catchUp(): readonly DurableCall[] {
    return this.#lines.settle();
  }
}

export class LegacyQueues implements Queues {
  readonly #lines = new Lines();
  #arrivals = 0;

  bind(name: string, call: DurableCall): boolean {
    const line = this.#lines.of(name);
    line.bind(call);
    return line.settle().includes(call);
  }

  arrive(name: string, data: string): DurableCall | undefined {
    const line = this.#lines.of(name);
    line.arrivals.push({ name, data, position: this.#arrivals++ });
    return line.settle()[0];
  }

  cancelRecorded(id: U64): void {
    this.#lines.remove(id);
  }

  catchUp(): readonly DurableCall[] {
    return this.#lines.settle();
  }

  /** Arrivals beyond the places of their name, whether or not those were ever read. */
  unread(): readonly QueuedMessage[] {
    const unread = this.#lines.all().flatMap((line) => line.arrivals.slice(line.placeCount));
    return unread.sort((a, b) => a.position - b.position);
  }
}
