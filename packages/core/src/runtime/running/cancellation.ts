/** The cancellation of an activity: an AbortSignal for its handler, and one listener cheaper than that of a signal. */
export class Cancellation {
  /** Created when the handler reads its signal, which most handlers do not. */
  #controller: AbortController | undefined;
  #reason: Error | undefined;
  #listener: (() => void) | undefined;

  get requested(): boolean {
    return this.#reason !== undefined;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** The first reason counts. */
  request(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#listener?.();
  }

  /** Calls `listener` when cancellation is requested. */
  whenRequested(listener: () => void): void {
    if (this.requested) listener();
    else this.#listener = listener;
  }
}
