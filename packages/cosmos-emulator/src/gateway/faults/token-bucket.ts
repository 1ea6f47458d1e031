/**
 * A budget of request units: a bucket that fills with `perSecond`, holds one second's worth, and may be overdrawn by
 * the request that empties it, since a charge is known only afterwards.
 */
export class TokenBucket {
  readonly perSecond: number;
  #level: number;
  #filledAtMs: number;

  constructor(perSecond: number, nowMs: number) {
    this.perSecond = perSecond;
    this.#level = perSecond;
    this.#filledAtMs = nowMs;
  }

  /** Milliseconds until a request is served; 0 while there is something left. */
  waitMs(nowMs: number): number {
    this.#fill(nowMs);
    if (this.#level > 0) return 0;
    return Math.max(1, Math.ceil((-this.#level / this.perSecond) * 1000));
  }

  take(charge: number, nowMs: number): void {
    this.#fill(nowMs);
    this.#level -= charge;
  }

  #fill(nowMs: number): void {
    const gained = (Math.max(0, nowMs - this.#filledAtMs) / 1000) * this.perSecond;
    this.#level = Math.min(this.perSecond, this.#level + gained);
    this.#filledAtMs = nowMs;
  }
}
