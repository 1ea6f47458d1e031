/** Tells listeners that something was written for which fetches may wait. Knows nothing of the fetches. */
export class Signal {
  readonly #listeners: (() => void)[] = [];

  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }

  notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
