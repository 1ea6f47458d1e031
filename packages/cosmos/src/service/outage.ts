/**
 * Requests while the service as a whole does not answer. After so many failures in a row, without an answer in between,
 * the requests of the process go out one by one, at a slow pace, whoever makes them and however many wait. The first
 * answer lets all of them go on at once.
 */
import type { CancelTimer, Clock } from "@duroxide-ts/core";
import type { Patience } from "./call.ts";
import { type Failure, toProviderError } from "./failure.ts";

/** More than a connection that broke takes with it. */
const MOST_FAILURES = 8;

/** Between two requests: fewer than seven a second. */
const PACE_MS = 150;

/** Statuses of gateways and of services that are not there. */
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

  /** Somebody has answered, also where it was a refusal. */
  answered(): void {
    if (this.#failures === 0) return;
    this.#failures = 0;
    for (const goOn of [...this.#waiting]) goOn();
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

  /** Resolves when it is the turn of a request; rejects with the last failure where that is not in time. */
  async enter({ operation, untilMs, signal }: Patience): Promise<void> {
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
        signal?.removeEventListener("abort", goOn);
        resolve();
      };
      this.#waiting.add(goOn);
      cancel = this.#clock.schedule(delayMs, goOn);
      signal?.addEventListener("abort", goOn, { once: true });
    });
  }
}
