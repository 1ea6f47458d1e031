/**
 * How many distinct sessions have an activity in flight here (docs/reference/runtime-semantics.md §3.7).
 *
 * - session-slots.SP1: The limit is for sessions, not for activities: a session leaves its place when its last activity
 *   here has ended.
 * - session-slots.SP2: A slot may fetch an activity of a session for which there is no place, because another slot has
 *   taken the last one since its fetch began. It waits for a place, in the order of the fetches, but not for long: it
 *   could run an activity outside of sessions meanwhile.
 * - session-slots.SP3: While there is no place, slots fetch only activities outside of sessions, under a signal that
 *   aborts as soon as there is one. So no fetch waits for less than its slot may run.
 */
import type { Clock } from "../../contract/clock.ts";
import { onAbort } from "../../contract/on-abort.ts";
import { invariant } from "../../errors/invariant.ts";

export interface SessionSlotsOptions {
  /** The most sessions. */
  readonly limit: number;
  readonly clock: Clock;
  /** How long a fetched activity waits for a place at most (session-slots.SP2). */
  readonly patienceMs: number;
}

interface Waiting {
  readonly sessionId: string;
  readonly settle: (place: Disposable | undefined) => void;
}

export class SessionSlots {
  readonly #options: SessionSlotsOptions;
  readonly #inFlight = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #untilFree = new AbortController();
  /** The signal that aborts `#untilFree` too. */
  #outer: AbortSignal | undefined;
  #forgetOuter = (): void => {};

  constructor(options: SessionSlotsOptions) {
    this.#options = options;
  }

  /** While it is full, only activities outside sessions are fetched. */
  get isFull(): boolean {
    return this.#inFlight.size >= this.#options.limit;
  }

  /**
   * Aborts with `outer`, or when a place becomes free (session-slots.SP3). Until then all fetches get the same signal.
   */
  untilFree(outer: AbortSignal): AbortSignal {
    if (this.#outer !== outer || this.#untilFree.signal.aborted) {
      const untilFree = new AbortController();
      this.#forgetOuter();
      this.#forgetOuter = onAbort(outer, () => untilFree.abort());
      this.#outer = outer;
      this.#untilFree = untilFree;
    }
    return this.#untilFree.signal;
  }

  /**
   * A place for an activity of the session; `undefined` when none becomes free in time, or when the signal aborts
   * (session-slots.SP2).
   */
  enter(sessionId: string, signal: AbortSignal): Disposable | Promise<Disposable | undefined> {
    return this.#tryEnter(sessionId) ?? this.#wait(sessionId, signal);
  }

  #tryEnter(sessionId: string): Disposable | undefined {
    const count = this.#inFlight.get(sessionId) ?? 0;
    if (count === 0 && this.isFull) return undefined;
    this.#inFlight.set(sessionId, count + 1);
    invariant(this.#inFlight.size <= this.#options.limit, "session-slots.SP1");
    return { [Symbol.dispose]: () => this.#leave(sessionId) };
  }

  #wait(sessionId: string, signal: AbortSignal): Promise<Disposable | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const giveUp = (): void => waiting.settle(undefined);
      const waiting: Waiting = {
        sessionId,
        settle: (place) => {
          this.#waiting.delete(waiting);
          cancel();
          forget();
          resolve(place);
        },
      };
      const cancel = this.#options.clock.schedule(this.#options.patienceMs, giveUp);
      const forget = onAbort(signal, giveUp);
      this.#waiting.add(waiting);
    });
  }

  #leave(sessionId: string): void {
    const count = this.#inFlight.get(sessionId) ?? 0;
    if (count > 1) {
      this.#inFlight.set(sessionId, count - 1);
      return;
    }
    this.#inFlight.delete(sessionId);
    for (const waiting of [...this.#waiting]) {
      const place = this.#tryEnter(waiting.sessionId);
      if (place !== undefined) waiting.settle(place);
    }
    if (!this.isFull) this.#untilFree.abort();
  }
}
