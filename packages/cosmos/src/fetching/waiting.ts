/** Those who wait for work in this process, and what wakes them. */
import type { CancelTimer, Clock } from "@duroxide-ts/core";

export class Waiting {
  readonly #clock: Clock;
  readonly #wake = new Set<() => void>();
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
    for (const wake of [...this.#wake]) wake();
  }

  /** Until something is written after the notice, the instant comes, or the wait is given up. */
  wait(notice: number, untilMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#closed || signal?.aborted || notice !== this.#notices) return Promise.resolve();
    return new Promise((resolve) => {
      let cancel: CancelTimer = () => {};
      const done = (): void => {
        cancel();
        this.#wake.delete(done);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const delayMs = untilMs - this.#clock.now();
      if (Number.isFinite(delayMs)) cancel = this.#clock.schedule(Math.max(0, delayMs), done);
      this.#wake.add(done);
      signal?.addEventListener("abort", done, { once: true });
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
    this.notify();
  }
}
