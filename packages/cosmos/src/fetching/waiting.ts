/**
 * Those who wait for work in this process, and what wakes them. Who waits says what it would take: a commit may lock
 * that on its behalf, in passing (docs/decisions/0014-claim-while-committing.md).
 */
import type { CancelTimer, Clock } from "@duroxide-ts/core";

/** Somebody who waits, and does nothing else until it is given something or let go. */
export interface Reserved<Request, Claim> {
  readonly request: Request;
  /** False where it does not wait any more: what was locked for it is for others. */
  give(claim: Claim): boolean;
  /** It looks for itself again. */
  release(): void;
}

interface Waiter<Request, Claim> {
  readonly request: Request | undefined;
  isReserved: boolean;
  readonly end: (claim?: Claim) => void;
}

export class Waiting<Request, Claim> {
  readonly #clock: Clock;
  /** Whoever waits longest comes first. */
  readonly #waiters = new Set<Waiter<Request, Claim>>();
  #closed = false;
  #notices = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Grows with everything that was written: who saw this number has missed nothing if it is still the same. */
  get notices(): number {
    return this.#notices;
  }

  /** Something was written that somebody may wait for. */
  notify(): void {
    this.#notices++;
    for (const waiter of [...this.#waiters]) if (!waiter.isReserved) waiter.end();
  }

  /** The one that waits longest of those that would take it. */
  reserve(wouldTake: (request: Request) => boolean): Reserved<Request, Claim> | undefined {
    for (const waiter of this.#waiters) {
      const { request } = waiter;
      if (request === undefined || waiter.isReserved || !wouldTake(request)) continue;
      waiter.isReserved = true;
      return {
        request,
        give: (claim) => {
          const isThere = this.#waiters.has(waiter);
          waiter.end(claim);
          return isThere;
        },
        release: () => waiter.end(),
      };
    }
    return undefined;
  }

  /**
   * Until something is written after the notice, the instant comes, or the wait is given up. Resolves to what was
   * locked for the request meanwhile, if anything.
   */
  wait(
    notice: number,
    untilMs: number,
    signal: AbortSignal | undefined,
    request?: Request,
  ): Promise<Claim | undefined> {
    if (this.#closed || signal?.aborted || notice !== this.#notices) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      let cancel: CancelTimer = () => {};
      const giveUp = (): void => waiter.end();
      const waiter: Waiter<Request, Claim> = {
        request,
        isReserved: false,
        end: (claim) => {
          cancel();
          this.#waiters.delete(waiter);
          signal?.removeEventListener("abort", giveUp);
          resolve(claim);
        },
      };
      // Who is reserved waits for what becomes of it, which is a matter of one request.
      const timeOver = (): void => {
        if (!waiter.isReserved) waiter.end();
      };
      const delayMs = untilMs - this.#clock.now();
      if (Number.isFinite(delayMs)) cancel = this.#clock.schedule(Math.max(0, delayMs), timeOver);
      this.#waiters.add(waiter);
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  /** Until the instant, whatever is written: for those who can be served by nothing. */
  async waitAlone(untilMs: number, signal: AbortSignal | undefined): Promise<void> {
    while (!this.#closed && signal?.aborted !== true && this.#clock.now() < untilMs) {
      await this.wait(this.#notices, untilMs, signal);
    }
  }

  close(): void {
    this.#closed = true;
    this.#notices++;
    for (const waiter of [...this.#waiters]) waiter.end();
  }
}
