/**
 * One listener for each signal, however many wait on it. The fetches of a runtime share its signal, and adding a
 * listener to a signal walks all that it has.
 */
export class AbortListeners<Waiter> {
  readonly #onAbort: (waiter: Waiter) => void;
  readonly #signals = new Map<
    AbortSignal,
    { readonly waiters: Set<Waiter>; readonly listener: () => void }
  >();

  constructor(onAbort: (waiter: Waiter) => void) {
    this.#onAbort = onAbort;
  }

  add(signal: AbortSignal, waiter: Waiter): void {
    const known = this.#signals.get(signal);
    if (known !== undefined) {
      known.waiters.add(waiter);
      return;
    }
    const waiters = new Set([waiter]);
    const listener = (): void => {
      this.#signals.delete(signal);
      for (const each of waiters) this.#onAbort(each);
    };
    signal.addEventListener("abort", listener, { once: true });
    this.#signals.set(signal, { waiters, listener });
  }

  remove(signal: AbortSignal, waiter: Waiter): void {
    const known = this.#signals.get(signal);
    known?.waiters.delete(waiter);
    if (known === undefined || known.waiters.size > 0) return;
    signal.removeEventListener("abort", known.listener);
    this.#signals.delete(signal);
  }
}
