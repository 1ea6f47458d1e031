/**
 * Orders the requests of this process to a logical partition while the service refuses some of them for want of request
 * units. Otherwise all of them would be sent again at the time that the service advises, and all but one refused again.
 *
 * - throttled.TH1: None is sent before the time that the service has advised last, nor, after several refusals in a row,
 *   before a pause that grows: the service may advise 0 ms.
 * - throttled.TH2: Then one is sent. With each that is served, twice as many may be under way; the next refusal begins
 *   with one again. So about as many are refused as are served, however many wait.
 * - throttled.TH3: The request whose call is over first is sent first: a renewal does not wait for a hundred fetches.
 * - throttled.TH4: A request that has not been sent when its call is over fails like one that was refused.
 */
import type { CancelTimer, Clock } from "@duroxide-ts/core";
import { invariant } from "@duroxide-ts/core/stores";
import type { Deadline } from "./call.ts";
import { type Failure, isThrottled, toProviderError } from "./failure.ts";
import { advisedMs } from "./persist.ts";

interface Waiting {
  readonly call: Deadline;
  readonly settle: (isSent: boolean) => void;
}

/** Leaves the partition when its request has an answer. */
export type Pass = (failure: Failure | undefined) => void;

class Gate {
  readonly waiting: Waiting[] = [];
  openAtMs = 0;
  /** How many may be under way. */
  window = 1;
  underWay = 0;
  /** Refusals since one was served. */
  refusals = 0;
  cancel: CancelTimer | undefined;
  last: Failure;

  constructor(last: Failure) {
    this.last = last;
  }
}

export class Throttled {
  readonly #clock: Clock;
  /** Partitions that have refused a request, until nothing waits there. */
  readonly #gates = new Map<string, Gate>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the request may be sent. */
  async enter(partition: string, call: Deadline): Promise<Pass> {
    const gate = this.#gates.get(partition);
    if (gate === undefined) return (failure) => this.#answered(partition, failure);
    if (gate.waiting.length > 0 || !this.#isOpen(gate)) await this.#wait(partition, gate, call);
    else gate.underWay++;
    return (failure) => {
      invariant(gate.underWay > 0, "throttled.TH2");
      gate.underWay--;
      if (failure === undefined) {
        gate.window *= 2;
        gate.refusals = 0;
      }
      this.#answered(partition, failure);
      this.#release(partition, gate);
    };
  }

  #isOpen({ openAtMs, underWay, window }: Gate): boolean {
    return this.#clock.now() >= openAtMs && underWay < window;
  }

  #answered(partition: string, failure: Failure | undefined): void {
    if (failure === undefined || !isThrottled(failure)) return;
    const gate = this.#gates.get(partition) ?? new Gate(failure);
    this.#gates.set(partition, gate);
    gate.last = failure;
    gate.window = 1;
    gate.refusals++;
    const pauseMs = Math.ceil(advisedMs(failure.retryAfterMs ?? 0, gate.refusals));
    gate.openAtMs = Math.max(gate.openAtMs, this.#clock.now() + pauseMs);
  }

  #wait(partition: string, gate: Gate, call: Deadline): Promise<void> {
    const { operation, untilMs, signal } = call;
    return new Promise((resolve, reject) => {
      const settle = (isSent: boolean): void => {
        cancel();
        signal?.removeEventListener("abort", giveUp);
        gate.waiting.splice(gate.waiting.indexOf(waiting), 1);
        if (isSent) gate.underWay++;
        if (isSent) resolve();
        else reject(toProviderError(operation, gate.last));
      };
      const giveUp = (): void => settle(false);
      const waiting: Waiting = { call, settle };
      // throttled.TH3.
      const at = gate.waiting.findIndex((each) => each.call.untilMs > untilMs);
      gate.waiting.splice(at < 0 ? gate.waiting.length : at, 0, waiting);
      // throttled.TH4.
      const cancel = this.#clock.schedule(Math.max(0, untilMs - this.#clock.now()), giveUp);
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#release(partition, gate);
    });
  }

  /** throttled.TH1, throttled.TH2. */
  #release(partition: string, gate: Gate): void {
    gate.cancel?.();
    gate.cancel = undefined;
    while (gate.waiting.length > 0 && this.#isOpen(gate)) gate.waiting[0]?.settle(true);
    if (gate.waiting.length === 0) {
      const isNeeded = gate.underWay > 0 || this.#clock.now() < gate.openAtMs;
      if (!isNeeded && this.#gates.get(partition) === gate) this.#gates.delete(partition);
      return;
    }
    const closedMs = gate.openAtMs - this.#clock.now();
    if (closedMs > 0) gate.cancel = this.#clock.schedule(closedMs, () => this.#release(partition, gate));
  }
}
