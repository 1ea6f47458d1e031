/**
 * The time limit of one run of a handler (docs/decisions/activities.md). A handler cannot be interrupted: its signal
 * aborts, the outcome is the timeout, and what the handler does afterwards counts for nothing.
 */
import type { Clock } from "../../contract/clock.ts";
import { TimeoutError } from "../../errors/duroxide-error.ts";
import { applicationFailure } from "../../errors/failure-details.ts";
import { monotonicMs, nextRound } from "../../host/originals.ts";
import type { ErrorDetails } from "../../wire/error-details.ts";
import { saturatedNumber } from "../../wire/integer.ts";
import type { ActivityExecute } from "../../wire/work-item.ts";

export class RunLimit {
  readonly error: TimeoutError;
  readonly details: ErrorDetails;
  readonly #limitMs: number;
  readonly #startedMs: number = monotonicMs();
  readonly #stop = new AbortController();
  readonly #cancel: () => void;
  #onOver: (() => void) | undefined;

  private constructor(clock: Clock, name: string, limitMs: number) {
    this.#limitMs = limitMs;
    this.error = new TimeoutError(`timeout: activity "${name}" did not end within ${limitMs} ms`);
    const { Application } = applicationFailure("ActivityFailed", this.error.message) as Extract<
      ErrorDetails,
      { Application: unknown }
    >;
    this.details = {
      Application: { ...Application, thrown: { name: this.error.name, timeout_ms: limitMs } },
    };
    this.#cancel = clock.schedule(limitMs, () => {
      this.#stop.abort(this.error);
      this.#onOver?.();
    });
  }

  /** `undefined` for an activity without a limit. */
  static of(clock: Clock, { name, timeout_ms: limitMs }: ActivityExecute): RunLimit | undefined {
    return limitMs === undefined ? undefined : new RunLimit(clock, name, saturatedNumber(limitMs));
  }

  /** Aborts at the limit, or with the given signal. */
  signalWith(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#stop.signal]);
  }

  /** Resolves to the outcome or to `atLimit`, whichever comes first. */
  async within<T>(finished: Promise<T>, atLimit: () => T): Promise<T> {
    const over = Promise.withResolvers<T>();
    this.#onOver = () => over.resolve(atLimit());
    return Promise.race([over.promise, finished.then((outcome) => this.#inTime(outcome, atLimit))]);
  }

  /** A handler that blocked the event loop kept the timer from firing, so the timer gets a round before it counts. */
  async #inTime<T>(outcome: T, atLimit: () => T): Promise<T> {
    for (let round = 0; round < 2 && monotonicMs() - this.#startedMs >= this.#limitMs; round++)
      await nextRound();
    return this.#stop.signal.aborted ? atLimit() : outcome;
  }

  /** Nothing waits for the limit any more. */
  end(): void {
    this.#cancel();
  }
}
