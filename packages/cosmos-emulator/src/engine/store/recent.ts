/** A memory of the values that were made for the latest keys. */
export class Recent<Key, Value> {
  readonly #size: number;
  readonly #values = new Map<Key, Value>();

  /** @param size Keys that are remembered. */
  constructor(size: number) {
    this.#size = size;
  }

  /** Returns the value for the key; `make` is called if it is not remembered, and nothing is if `make` throws. */
  get(key: Key, make: (key: Key) => Value): Value {
    let value = this.#values.get(key);
    if (value === undefined) {
      value = make(key);
      // A map forgets in the order of insertion, which is cheap and good enough here.
      if (this.#values.size >= this.#size) this.#values.delete(this.#values.keys().next().value as Key);
      this.#values.set(key, value);
    }
    return value;
  }
}
