/**
 * The locks of one database file: those of the file and those of the shared memory beside it. They belong to a handle,
 * and end with its process.
 */
export type Handle = object;

export const LOCK = { none: 0, shared: 1, reserved: 2, pending: 3, exclusive: 4 } as const;

/** Locks of a file, as SQLite asks for them. */
export class FileLocks {
  readonly #levels = new Map<Handle, number>();

  /** False where another handle is in the way. */
  raise(handle: Handle, level: number): boolean {
    const others = this.#others(handle);
    const highest = Math.max(LOCK.none, ...others);
    const isFree =
      level === LOCK.shared
        ? highest < LOCK.pending
        : level === LOCK.reserved
          ? highest < LOCK.reserved
          : others.length === 0;
    if (isFree) this.#levels.set(handle, Math.max(level, this.#levels.get(handle) ?? LOCK.none));
    return isFree;
  }

  lower(handle: Handle, level: number): void {
    if (level === LOCK.none) this.#levels.delete(handle);
    else this.#levels.set(handle, level);
  }

  get isReserved(): boolean {
    return [...this.#levels.values()].some((level) => level >= LOCK.reserved);
  }

  #others(handle: Handle): readonly number[] {
    return [...this.#levels].flatMap(([each, level]) => (each === handle ? [] : [level]));
  }
}

const SLOTS = 8;

/** Locks of the index of the write-ahead log: eight slots, each shared or exclusive. */
export class SharedMemoryLocks {
  readonly #shared = Array.from({ length: SLOTS }, () => new Set<Handle>());
  readonly #exclusive: (Handle | undefined)[] = Array.from({ length: SLOTS }, () => undefined);

  lock(handle: Handle, first: number, count: number, isExclusive: boolean): boolean {
    const slots = Array.from({ length: count }, (_, at) => first + at);
    if (!slots.every((slot) => this.#isFree(handle, slot, isExclusive))) return false;
    for (const slot of slots) {
      if (isExclusive) this.#exclusive[slot] = handle;
      else this.#shared[slot]?.add(handle);
    }
    return true;
  }

  unlock(handle: Handle, first: number, count: number): void {
    for (let slot = first; slot < first + count; slot++) {
      this.#shared[slot]?.delete(handle);
      if (this.#exclusive[slot] === handle) this.#exclusive[slot] = undefined;
    }
  }

  #isFree(handle: Handle, slot: number, isExclusive: boolean): boolean {
    const holder = this.#exclusive[slot];
    if (holder !== undefined && holder !== handle) return false;
    if (!isExclusive) return true;
    return [...(this.#shared[slot] ?? [])].every((each) => each === handle);
  }
}
