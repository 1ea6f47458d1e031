/**
 * Matching as runtimes before 0.1.31 did it, for the executions that they began (docs/reference/runtime-semantics.md
 * §2.4, §2.5). Instead of arrivals.A4 and arrivals.A6:
 *
 * - legacy-arrivals.A5: The n-th call of a name gets its n-th arrival. A call that the code drops keeps its position
 *   until its cancel event is replayed; only then do its arrivals go to later calls. A value can thus move from one
 *   call to the next, because those runtimes recorded it so.
 * - legacy-arrivals.A6: A message that does not fit rejects its call, because the next one has another position.
 */
import type { U64 } from "../../wire/integer.ts";
import { compareSemver, parseSemver, type Semver } from "../../wire/version.ts";
import type { Content } from "../calls/content.ts";
import type { DurableCall } from "../calls/durable-call.ts";
import type { Arrival, QueuedMessage, Queues, Waits } from "./arrivals.ts";

const FIRST_TO_DROP_AT_ONCE: Semver = { major: 0, minor: 1, patch: 31, prerelease: [] };

/** Whether the execution was begun by a runtime that follows legacy-arrivals.A5 (runtime-semantics §1.4). */
export function dropsLate(stamp: string): boolean {
  const version = parseSemver(stamp);
  return version === undefined || compareSemver(version, FIRST_TO_DROP_AT_ONCE) < 0;
}

/** One name: calls in bind order, arrivals in history order. */
interface Positions {
  readonly calls: DurableCall[];
  readonly arrivals: QueuedMessage[];
}

export class LegacyArrivals implements Waits, Queues {
  /** Whether an arrival without a call is kept (arrivals.A2) or lost (arrivals.A1). */
  readonly #keeps: boolean;
  readonly #byName = new Map<string, Positions>();
  #lost: string[] = [];
  #arrived = 0;

  constructor(keeps: boolean) {
    this.#keeps = keeps;
  }

  bind({ name = "" }: Content, call: DurableCall): boolean {
    const positions = this.#of(name);
    positions.calls.push(call);
    return this.#keeps && settle(positions).includes(call);
  }

  arrive({ event_id: eventId, name, data }: Arrival): DurableCall | undefined {
    const positions = this.#of(name);
    if (!this.#keeps && positions.calls.length <= positions.arrivals.length) {
      this.#lost.push(name);
      return undefined;
    }
    positions.arrivals.push({ eventId, name, data, isEvent: false, position: this.#arrived++ });
    return settle(positions)[0];
  }

  takeLost(): readonly string[] {
    return this.#lost.splice(0);
  }

  dropRecorded(id: U64): void {
    for (const { calls } of this.#byName.values()) {
      const index = calls.findIndex((call) => call.eventId === id);
      if (index >= 0) calls.splice(index, 1);
    }
  }

  catchUp(): readonly DurableCall[] {
    return [...this.#byName.values()].flatMap(settle);
  }

  /** Arrivals beyond the calls of their name, whether or not those were awaited. */
  unread(): readonly QueuedMessage[] {
    const unread = [...this.#byName.values()].flatMap(({ calls, arrivals }) => arrivals.slice(calls.length));
    return unread.sort((a, b) => a.position - b.position);
  }

  #of(name: string): Positions {
    const positions = this.#byName.get(name) ?? { calls: [], arrivals: [] };
    this.#byName.set(name, positions);
    return positions;
  }
}

/** Answers every call that has an arrival. */
function settle({ calls, arrivals }: Positions): DurableCall[] {
  return calls.filter((call, index) => {
    const arrival = arrivals[index];
    return arrival !== undefined && call.succeed(arrival.data);
  });
}
