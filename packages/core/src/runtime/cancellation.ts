/** The wish that an activity ends: an AbortSignal for the handler, and one listener that costs less than a signal's. */
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

  /** Calls `listener` when the wish comes. */
  whenRequested(listener: () => void): void {
    if (this.requested) listener();
    else this.#listener = listener;
  }
}
