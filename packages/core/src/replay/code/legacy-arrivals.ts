/**
 * Matching as runtimes before 0.1.31 did it, for the executions that they began (docs/reference/runtime-semantics.md
 * §2.4, §2.5). Instead of A4:
 *
 *   A5  A call that the code drops keeps its position until its cancel event is replayed; only then do its arrivals go
 *       to later calls of the name. A value can thus move from one call to the next, because those runtimes recorded it
 *       so.
 */
import type { U64 } from "../../wire/integer.ts";
import { compareSemver, parseSemver, type Semver } from "../../wire/version.ts";
import type { DurableCall } from "../calls/durable-call.ts";
import type { QueuedMessage, Queues, Waits } from "./arrivals.ts";

const FIRST_TO_DROP_AT_ONCE: Semver = { major: 0, minor: 1, patch: 31, prerelease: [] };

/** Whether the execution was begun by a runtime that follows A5 (runtime-semantics §1.4). */
export function dropsLate(stamp: string): boolean {
  const version = parseSemver(stamp);
  return version === undefined || compareSemver(version, FIRST_TO_DROP_AT_ONCE) < 0;
}

/** One name: calls in bind order, arrivals in history order; the n-th call gets the n-th arrival. */
class NamePositions {
  readonly #calls: DurableCall[] = [];
  readonly arrivals: QueuedMessage[] = [];

  get callCount(): number {
    return this.#calls.length;
  }

  bind(call: DurableCall): void {
    this.#calls.push(call);
  }

  remove(id: U64): void {
    const index = this.#calls.findIndex((call) => call.eventId === id);
    if (index >= 0) this.#calls.splice(index, 1);
  }

  /** Answers every call that has an arrival. */
  settle(): DurableCall[] {
    return this.#calls.filter((call, index) => {
      const arrival = this.arrivals[index];
      return arrival !== undefined && call.succeed(arrival.data);
    });
  }
}

class Positions {
  readonly #byName = new Map<string, NamePositions>();

  of(name: string): NamePositions {
    let positions = this.#byName.get(name);
    if (positions === undefined) {
      positions = new NamePositions();
      this.#byName.set(name, positions);
    }
    return positions;
  }

  all(): NamePositions[] {
    return [...this.#byName.values()];
  }

  remove(id: U64): void {
    for (const positions of this.all()) positions.remove(id);
  }

  settle(): DurableCall[] {
    return this.all().flatMap((positions) => positions.settle());
  }
}

export class LegacyWaits implements Waits {
  readonly #positions = new Positions();
  #lost: string[] = [];

  bind(name: string, call: DurableCall): boolean {
    this.#positions.of(name).bind(call);
    return false;
  }

  /** Accepted while there are more calls than accepted arrivals, dropped calls included. */
  arrive(name: string, data: string): DurableCall | undefined {
    const positions = this.#positions.of(name);
    if (positions.callCount <= positions.arrivals.length) {
      this.#lost.push(name);
      return undefined;
    }
    positions.arrivals.push({ name, data, position: positions.arrivals.length });
    return positions.settle()[0];
  }

  takeLost(): readonly string[] {
    const lost = this.#lost;
    this.#lost = [];
    return lost;
  }

  dropRecorded(id: U64): void {
    this.#positions.remove(id);
  }

  catchUp(): readonly DurableCall[] {
    return this.#positions.settle();
  }
}

export class LegacyQueues implements Queues {
  readonly #positions = new Positions();
  #arrivals = 0;

  bind(name: string, call: DurableCall): boolean {
    const positions = this.#positions.of(name);
    positions.bind(call);
    return positions.settle().includes(call);
  }

  arrive(name: string, data: string): DurableCall | undefined {
    const positions = this.#positions.of(name);
    positions.arrivals.push({ name, data, position: this.#arrivals++ });
    return positions.settle()[0];
  }

  dropRecorded(id: U64): void {
    this.#positions.remove(id);
  }

  catchUp(): readonly DurableCall[] {
    return this.#positions.settle();
  }

  /** Arrivals beyond the calls of their name, whether or not those were awaited. */
  unread(): readonly QueuedMessage[] {
    const unread = this.#positions
      .all()
      .flatMap((positions) => positions.arrivals.slice(positions.callCount));
    return unread.sort((a, b) => a.position - b.position);
  }
}
