/**
 * Calls of what only watches the work: loggers, meters, tracers, listeners and callbacks of the user. Whatever such a call
 * does, the work goes on (docs/decisions/observers.md).
 *
 * - observer-calls.OC1: A call never throws, and nothing waits for a promise that it returns. A value that only looks
 *   like a promise is not touched, because its `then` is code of the user too.
 * - observer-calls.OC2: A promise that a call rejects, also one that it does not return, is reported to `tell`. While a
 *   runtime runs it does not end the process (rejections.R1 and rejections.R4).
 * - observer-calls.OC3: The call is no orchestration code, wherever it is made: the guard does not check it, and its
 *   promises are not those of an execution.
 * - observer-calls.OC4: `tell` is called at most once a minute, with the number of failures since the last time.
 */
import { types } from "node:util";
import { unguarded } from "./open-turns.ts";
import { owned, type RejectionOwner } from "./rejections.ts";

const MINUTE_MS = 60_000;

/** Called after a failure. `failures` counts those since the last call, with this one. */
export type TellFailure = (error: unknown, failures: number) => void;

export class ObserverCalls implements RejectionOwner {
  readonly #clock: { now(): number };
  readonly #tell: TellFailure;
  #toldAtMs = Number.NEGATIVE_INFINITY;
  #failures = 0;

  constructor(clock: { now(): number }, tell: TellFailure) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /** The result of the call; `undefined` if it throws. */
  call<T>(run: () => T): T | undefined {
    try {
      const result = owned(this, () => unguarded(run));
      if (types.isPromise(result)) Promise.prototype.then.call(result, undefined, this.failed);
      return result;
    } catch (error) {
      this.failed(error);
      return undefined;
    }
  }

  /** Reports a failure, also one that was caught elsewhere. */
  readonly failed = (error: unknown): void => {
    this.#failures++;
    const nowMs = this.#clock.now();
    // A clock that was set back does not silence it for longer.
    if (Math.abs(nowMs - this.#toldAtMs) < MINUTE_MS) return;
    const failures = this.#failures;
    this.#failures = 0;
    this.#toldAtMs = nowMs;
    this.#tell(error, failures);
  };

  rejected(_promise: object, reason: unknown): void {
    this.failed(reason);
  }

  handled(): void {}
}
