/** Who wants to hear of commits that clients can see. A hint, so it is given late rather than inside a commit. */

export class Watchers {
  readonly #listeners = new Map<string, Set<() => void>>();

  add(instanceId: string, listener: () => void): () => void {
    // The same function may be registered twice, so each registration gets an identity of its own.
    const entry = (): void => listener();
    const listeners = this.#listeners.get(instanceId) ?? new Set();
    this.#listeners.set(instanceId, listeners.add(entry));
    return () => {
      listeners.delete(entry);
      if (listeners.size === 0 && this.#listeners.get(instanceId) === listeners) {
        this.#listeners.delete(instanceId);
      }
    };
  }

  notify(instanceId: string): void {
    for (const listener of this.#listeners.get(instanceId) ?? []) queueMicrotask(listener);
  }

  notifyAll(): void {
    for (const instanceId of this.#listeners.keys()) this.notify(instanceId);
  }
}
