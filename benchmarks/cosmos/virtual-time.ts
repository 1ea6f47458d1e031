/** Virtual time with an endpoint that is none of its own: the clock goes on when all requests are answered. */
import { VirtualClock } from "@duroxide-ts/core/testing";

export class VirtualTime {
  /** Begins at the present, because requests carry the true time. */
  readonly clock: VirtualClock = new VirtualClock(Date.now());
  /** Requests without an answer. */
  readonly #traffic = new Set<Promise<unknown>>();

  /** Stops the clock until the request is answered. */
  request<T>(answering: Promise<T>): Promise<T> {
    this.#traffic.add(answering);
    return answering.finally(() => this.#traffic.delete(answering));
  }

  /** Advances the clock from timer to timer, each after the requests to which the one before has led. */
  async advance(ms: number): Promise<void> {
    const { clock } = this;
    const endMs = clock.now() + ms;
    await this.#settle();
    while ((clock.nextDueMs ?? endMs) < endMs) await this.#toNextTimer();
    await clock.advance(endMs - clock.now());
    await this.#settle();
  }

  /** Advances the clock from timer to timer, for as long as the promise is pending. */
  async until<T>(pending: Promise<T>): Promise<T> {
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    pending.then(over, over);
    await this.#settle();
    while (!isOver) await this.#toNextTimer();
    return pending;
  }

  async #toNextTimer(): Promise<void> {
    const nowMs = this.clock.now();
    await this.clock.advance(Math.max(0, (this.clock.nextDueMs ?? nowMs) - nowMs));
    await this.#settle();
  }

  /** Waits for the requests to which the present time leads. */
  async #settle(): Promise<void> {
    await this.clock.settle();
    while (this.#traffic.size > 0) {
      await Promise.allSettled(this.#traffic);
      await this.clock.settle();
    }
  }
}
