/**
 * One listener for each signal, however many fetches wait on it. The fetches of a runtime share its signal, and adding a
 * listener to a signal walks all that it has.
 */
export class AbortListeners {
  readonly #onAbort: (signal: AbortSignal) => void;
  readonly #signals = new Map<AbortSignal, { fetches: number; readonly listener: () => void }>();

  constructor(onAbort: (signal: AbortSignal) => void) {
    this.#onAbort = onAbort;
  }

  /** One more fetch waits on the signal. */
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

  /** One fetch fewer; with the last one the listener goes. */
  remove(signal: AbortSignal): void {
    const known = this.#signals.get(signal);
    if (known === undefined || --known.fetches > 0) return;
    signal.removeEventListener("abort", known.listener);
    this.#signals.delete(signal);
  }
}
