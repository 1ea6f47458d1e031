/**
 * Listeners for what clients see of an instance: hints only. Called after commits of this process, in
 * a microtask of their own, so that what they throw cannot be taken for a failure of the commit.
 */
export class Watchers {
  readonly #listeners = new Map<string, Set<() => void>>();

  /** Until the returned function is called. */
  add(instanceId: string, listener: () => void): () => void {
    // A function may be registered twice, so it is wrapped to have an identity of its own.
    const entry = (): void => listener();
    const id = instanceId.toWellFormed();
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(entry));
    return () => {
      listeners.delete(entry);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
    };
  }

  /** Something of these instances that clients can see may have changed. */
  notify(instanceIds: Iterable<string>): void {
    if (this.#listeners.size === 0) return;
    for (const id of instanceIds) {
      for (const listener of this.#listeners.get(id) ?? []) queueMicrotask(listener);
    }
  }

  /** Anything that clients can see may have changed. */
  notifyAll(): void {
    this.notify(this.#listeners.keys());
  }
}
