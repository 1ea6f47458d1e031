/** The cancellation of an activity: an AbortSignal for its handler, and one listener cheaper than that of a signal. */
export class Cancellation {
  readonly #controller = new AbortController();
  #listener: (() => void) | undefined;

  get requested(): boolean {
    return this.signal.aborted;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The first reason counts. */
  request(reason: Error): void {
    if (this.requested) return;
    this.#controller.abort(reason);
    this.#listener?.();
  }

  /** Calls `listener` when cancellation is requested. */
  whenRequested(listener: () => void): void {
    if (this.requested) listener();
    else this.#listener = listener;
  }
}
