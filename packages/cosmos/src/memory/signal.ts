/** Notifies listeners of writes for which fetches may wait. It does not depend on the fetches. */
export class Signal {
  readonly #listeners: (() => void)[] = [];

  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }

  notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
