/**
 * How many distinct sessions have an activity in flight here (docs/reference/runtime-semantics.md §3.7).
 *
 *   SP1  The limit is for sessions, not for activities: a session leaves its place when its last activity here has
 *        ended.
 *   SP2  `enter` may refuse although the fetch saw a free place, because another slot may have taken the place
 *        meanwhile. The activity is given back at once, without an attempt.
 */

export class SessionSlots {
  readonly #limit: number;
  readonly #inFlight = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** While it is full, only activities outside sessions are fetched. */
  get isFull(): boolean {
    return this.#inFlight.size >= this.#limit;
  }

  /** A place for an activity of the session; `undefined` when another slot took the last one meanwhile. */
  enter(sessionId: string | undefined): Disposable | undefined {
    if (sessionId === undefined) return { [Symbol.dispose]: () => {} };
    const count = this.#inFlight.get(sessionId) ?? 0;
    if (count === 0 && this.isFull) return undefined;
    this.#inFlight.set(sessionId, count + 1);
    return { [Symbol.dispose]: () => this.#leave(sessionId) };
  }

  #leave(sessionId: string): void {
    const count = this.#inFlight.get(sessionId) ?? 0;
    if (count > 1) this.#inFlight.set(sessionId, count - 1);
    else this.#inFlight.delete(sessionId);
  }
}
