/**
 * A map for entries that are added and deleted all the time, in a long-lived owner.
 *
 * V8 gives a Map a new table when it grows, shrinks or has many holes. The old table points to the new one, because
 * iterators need it. After some time the garbage collector moves a table to the old generation. Reachable or not, an
 * old table keeps its successor and the entries of the successor from being collected with the young generation; the
 * successor becomes old and does the same. Short-lived entries of a plain Map therefore fill the old generation
 * (measured: forty times the major collections, and a young generation of twice to four times the size).
 *
 * - churning-map.C1: A chain of tables has only a few links, because the entries move to a new Map after about as many
 *   deletions as there are entries. This copies at most one entry for each deletion. A small map is not copied for each
 *   of its deletions, because a new Map is larger than a few links.
 * - churning-map.C2: The order is that of insertion, as with Map.
 * - churning-map.C3: There is no iterator, because the internal Map may be replaced meanwhile: `values` and `keys`
 *   return copies, and the callback of `find` must not change the map.
 */

/** Deletions before small maps are copied. */
const LEAST_DELETIONS = 64;

/** A Map for entries that are added and deleted all the time. It keeps the order of insertion, and has no iterator. */
export class ChurningMap<Key, Value> {
  #entries = new Map<Key, Value>();
  #deletions = 0;

  get size(): number {
    return this.#entries.size;
  }

  /** The key that was inserted first. */
  get oldestKey(): Key | undefined {
    for (const key of this.#entries.keys()) return key;
    return undefined;
  }

  /** Whether there is an entry of this key. */
  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  /** The value of this key. */
  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** An existing key keeps its position. */
  set(key: Key, value: Value): void {
    this.#entries.set(key, value);
  }

  /** False if there is no entry of this key. */
  delete(key: Key): boolean {
    if (!this.#entries.delete(key)) return false;
    if (++this.#deletions > this.#entries.size + LEAST_DELETIONS) {
      this.#entries = new Map(this.#entries);
      this.#deletions = 0;
    }
    return true;
  }

  /** Removes every entry. */
  clear(): void {
    this.#entries = new Map();
    this.#deletions = 0;
  }

  /** The first value in the order of insertion that `matches`, which must not change the map. */
  find(matches: (value: Value) => boolean): Value | undefined {
    for (const value of this.#entries.values()) if (matches(value)) return value;
    return undefined;
  }

  /** A copy, in the order of insertion. */
  keys(): readonly Key[] {
    return [...this.#entries.keys()];
  }

  /** A copy, in the order of insertion. */
  values(): readonly Value[] {
    return [...this.#entries.values()];
  }
}
