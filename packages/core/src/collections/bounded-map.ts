/** A map of limited size: beyond it, the entry that was set longest ago is dropped. */
export class BoundedMap<Key, Value> {
  readonly #most: number;
  readonly #entries = new Map<Key, Value>();

  /** `most`: how many entries it holds. */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** An entry that is set again becomes the newest one. */
  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#most) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
