import { ChurningMap } from "../collections/churning-map.ts";
import type { Clock } from "../contract/clock.ts";
import type { Logger } from "../define/logger.ts";
import { observerCalls } from "../define/observers.ts";
import { stderrLogger } from "../define/stderr-logger.ts";
import type { ObserverCalls } from "../guard/observer-calls.ts";
import { inMicrotask } from "../host/originals.ts";
import { outside } from "../host/outside.ts";

/**
 * Listeners for changes of an instance that clients can read: hints only. Called after commits of this process, in a
 * separate microtask, so that they do not run within the commit. A listener that fails changes nothing.
 */
export class Watchers {
  readonly #listeners = new ChurningMap<string, Set<() => void>>();
  readonly #calls: ObserverCalls;

  constructor(clock: Clock, logger: Logger = stderrLogger({ clock })) {
    this.#calls = observerCalls("listener of watchInstance", { clock, logger });
  }

  /** Adds a listener until the returned function is called. */
  add(instanceId: string, listener: () => void): () => void {
    // A function may be registered twice, so each registration has its own wrapper.
    const entry = (): void => outside(() => void this.#calls.call(listener));
    const id = instanceId.toWellFormed();
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(entry));
    return () => {
      listeners.delete(entry);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
    };
  }

  isWatched(instanceId: string): boolean {
    return this.#listeners.get(instanceId.toWellFormed()) !== undefined;
  }

  /** Called when data of these instances that clients can read may have changed. */
  notify(instanceIds: Iterable<string>): void {
    if (this.#listeners.size === 0) return;
    for (const id of instanceIds) {
      for (const listener of this.#listeners.get(id) ?? []) inMicrotask(listener);
    }
  }

  /** Called when data of any instance may have changed. */
  notifyAll(): void {
    this.notify(this.#listeners.keys());
  }
}
