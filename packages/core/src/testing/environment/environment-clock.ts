/** The clock of an environment, which knows the timers on which handlers of activities and steps wait. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { CancelTimer } from "../../contract/clock.ts";
import { VirtualClock } from "../virtual-clock.ts";
import { earliest } from "./earliest.ts";

const current = new AsyncLocalStorage<HandlerTimers>();

/** The timers of one call of a handler. */
export class HandlerTimers {
  readonly #timers = new Set<{ readonly dueMs: number }>();

  /** Runs the handler. */
  of<T>(handler: () => T): T {
    return current.run(this, handler);
  }

  /** Adds a timer; returns what removes it. */
  add(dueMs: number): () => void {
    const timer = { dueMs };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Time at which the first timer is due, ms since the epoch. */
  get nextDueMs(): number | undefined {
    return earliest(Array.from(this.#timers, ({ dueMs }) => dueMs));
  }
}

export class EnvironmentClock extends VirtualClock {
  override schedule(delayMs: number, callback: () => void): CancelTimer {
    const remove = current.getStore()?.add(this.now() + Math.max(0, delayMs));
    if (remove === undefined) return super.schedule(delayMs, callback);
    const cancel = super.schedule(delayMs, () => {
      remove();
      callback();
    });
    return () => {
      remove();
      cancel();
    };
  }
}
