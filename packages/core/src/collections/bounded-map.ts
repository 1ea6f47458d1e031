import { ChurningMap } from "./churning-map.ts";

/** A map of limited size: when it is full, it deletes the entry that was set longest ago. */
export class BoundedMap<Key, Value> {
  readonly #most: number;
  readonly #entries = new ChurningMap<Key, Value>();

  /** `most`: how many entries it holds. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** Whether there is an entry of this key. */
  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  /** The value of this key. */
  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** An entry that is set again becomes the newest one. */
  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const oldest = this.#entries.oldestKey;
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
  }

  /** Does nothing if there is no entry of this key. */
  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
