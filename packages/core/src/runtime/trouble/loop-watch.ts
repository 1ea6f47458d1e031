/**
 * Detects a blocked event loop, which delays the renewal of locks, and logs which handlers ran meanwhile.
 *
 * - loop-watch.LW1: A timer is set only while handlers run, so an idle runtime sets none.
 * - loop-watch.LW2: An entry names all handlers that ran since the last tick, also those that have ended: the handler
 *   that blocked the loop may have ended before the timer fires.
 * - loop-watch.LW3: One stall is one entry. While a timer is set, the timer reports a long turn; otherwise the turn
 *   itself is reported at once.
 */
import type { CancelTimer, Clock } from "../../contract/clock.ts";
import type { Logger } from "../../define/logger.ts";

export interface LoopWatchOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The shortest lock timeout of this process. A stall of a third of it is logged. */
  readonly shortestLockMs: number;
  /** Called when the loop runs again after a stall. */
  readonly onStall: () => void;
}

/** Names in one entry. */
const MOST_NAMES = 10;

export class LoopWatch {
  readonly #options: LoopWatchOptions;
  readonly #intervalMs: number;
  /** How many handlers run, by the name of their activity; zeros stay until the next tick. */
  readonly #running = new Map<string, number>();
  /** Activities that ran since the last tick, including those that have ended. */
  readonly #activities = new Set<string>();
  readonly #orchestrations = new Set<string>();
  #handlers = 0;
  #cancelTimer: CancelTimer | undefined;

  constructor(options: LoopWatchOptions) {
    this.#options = options;
    this.#intervalMs = Math.max(1, Math.floor(options.shortestLockMs / 6));
  }

  /** A handler of this activity runs until it leaves. */
  enter(name: string): void {
    this.#handlers++;
    this.#running.set(name, (this.#running.get(name) ?? 0) + 1);
    this.#activities.add(name);
    if (this.#cancelTimer === undefined) this.#look();
  }

  leave(name: string): void {
    this.#handlers--;
    const left = (this.#running.get(name) ?? 1) - 1;
    this.#running.set(name, left);
  }

  /** Reports a turn that ran without a pause for `tookMs`. While handlers run, the timer detects the stall as well. */
  tookTurn(orchestrationName: string, tookMs: number): void {
    if (tookMs <= this.#options.shortestLockMs / 3) return;
    this.#orchestrations.add(orchestrationName);
    if (this.#cancelTimer !== undefined) return;
    this.#tell(tookMs);
    this.#orchestrations.clear();
  }

  /** The timer is late by the time for which the loop was blocked. */
  #look(): void {
    const { clock } = this.#options;
    const expectedAtMs = clock.now() + this.#intervalMs;
    this.#cancelTimer = clock.schedule(this.#intervalMs, () => {
      const lateMs = clock.now() - expectedAtMs;
      if (lateMs > this.#intervalMs) this.#tell(lateMs + this.#intervalMs);
      this.#activities.clear();
      this.#orchestrations.clear();
      for (const [name, handlers] of this.#running) {
        if (handlers > 0) this.#activities.add(name);
        else this.#running.delete(name);
      }
      this.#cancelTimer = undefined;
      if (this.#handlers > 0) this.#look();
    });
  }

  #tell(stalledMs: number): void {
    const { logger, shortestLockMs, onStall } = this.#options;
    const ran = [
      ...Array.from(this.#activities, (name) => `activity ${name}`),
      ...Array.from(this.#orchestrations, (name) => `orchestration ${name}`),
    ];
    logger.warn(
      {
        event: "event_loop_stalled",
        stalled_ms: stalledMs,
        shortest_lock_ms: shortestLockMs,
        ran: ran.slice(0, MOST_NAMES),
      },
      "the event loop was blocked for more than a third of a lock, so locks may be lost; move computing to a worker thread",
    );
    onStall();
  }

  [Symbol.dispose](): void {
    this.#cancelTimer?.();
  }
}
