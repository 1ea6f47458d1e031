/**
 * Limits requests while the service does not respond at all.
 *
 * - outage.OU1: After several failures in a row, without a response in between, all requests of the process are sent
 *   one by one, at a slow pace, however many wait: retries would otherwise keep the service from recovering.
 * - outage.OU2: The first response releases all of them, so that work goes on soon after the outage.
 * - outage.OU3: A refusal is a response, unless a gateway may have sent it.
 */
import type { CancelTimer, Clock } from "@duroxide-ts/core";
import { onAbort } from "@duroxide-ts/core/stores";
import type { Deadline } from "./call.ts";
import { type Failure, toProviderError } from "./failure.ts";

/** More than the requests that fail with one broken connection. */
const MOST_FAILURES = 8;

/** The pause between two requests: fewer than seven a second. */
const PACE_MS = 150;

/** Statuses of gateways and of unavailable services. */
const OUT: readonly number[] = [408, 500, 502, 503, 504];

const NO_ANSWER: Failure = {
  status: undefined,
  substatus: undefined,
  charge: 0,
  retryAfterMs: undefined,
  message: "no answer",
  cause: undefined,
};

export class Outage {
  readonly #clock: Clock;
  #failures = 0;
  #nextMs = 0;
  #last: Failure = NO_ANSWER;
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isOn(): boolean {
    return this.#failures >= MOST_FAILURES;
  }

  /** Called for every response, including refusals. */
  answered(): void {
    if (this.#failures === 0) return;
    this.#failures = 0;
    for (const release of [...this.#waiting]) release();
  }

  failed(failure: Failure): void {
    const { status } = failure;
    if (status !== undefined && !OUT.includes(status)) {
      this.answered();
      return;
    }
    this.#failures++;
    this.#last = failure;
  }

  /** Resolves when the request may be sent; rejects with the last failure if that is not in time. */
  async enter({ operation, untilMs, signal }: Deadline): Promise<void> {
    while (this.isOn) {
      const nowMs = this.#clock.now();
      if (nowMs >= this.#nextMs) {
        this.#nextMs = nowMs + PACE_MS;
        return;
      }
      if (this.#nextMs > untilMs || signal?.aborted === true) {
        throw toProviderError(operation, this.#last);
      }
      await this.#wait(this.#nextMs - nowMs, signal);
    }
  }

  #wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      let cancel: CancelTimer = () => {};
      const goOn = (): void => {
        cancel();
        this.#waiting.delete(goOn);
        forget();
        resolve();
      };
      const forget = onAbort(signal, goOn);
      this.#waiting.add(goOn);
      cancel = this.#clock.schedule(delayMs, goOn);
    });
  }
}
