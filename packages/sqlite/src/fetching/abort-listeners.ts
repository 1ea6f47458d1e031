/**
 * The abort listeners of parked fetches.
 *
 * L1  A signal has one listener, whatever the number of its fetches, because the fetches of a runtime share one signal,
 *     and the cost of adding a listener grows with the number of listeners. Without fetches it has none.
 */
export class AbortListeners {
  readonly #onAbort: (signal: AbortSignal) => void;
  readonly #signals = new Map<AbortSignal, { fetches: number; readonly listener: () => void }>();

  constructor(onAbort: (signal: AbortSignal) => void) {
    this.#onAbort = onAbort;
  }

  /** Adds a fetch that waits on the signal. */
  add(signal: AbortSignal): void {
    const known = this.#signals.get(signal);
    if (known !== undefined) {
      known.fetches++;
      return;
    }
    const listener = (): void => this.#onAbort(signal);
    signal.addEventListener("abort", listener, { once: true });
    this.#signals.set(signal, { fetches: 1, listener });
  }

  /** Removes a fetch; with the last one, removes the listener. */
  remove(signal: AbortSignal): void {
    const known = this.#signals.get(signal);
    if (known === undefined || --known.fetches > 0) return;
    signal.removeEventListener("abort", known.listener);
    this.#signals.delete(signal);
  }
}
