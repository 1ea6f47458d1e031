/** Names in the order of the instants at which they fall due: a binary heap. */

interface Entry {
  readonly atMs: number;
  readonly name: string;
}

export class DueTimes {
  readonly #heap: Entry[] = [];

  /** Infinite where there are none. */
  get nextMs(): number {
    return this.#heap[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  add(atMs: number, name: string): void {
    const heap = this.#heap;
    const entry = { atMs, name };
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = heap[parentIndex];
      if (parent === undefined || parent.atMs <= atMs) break;
      heap[index] = parent;
      index = parentIndex;
    }
    heap[index] = entry;
  }

  /** The first one, if it is due. */
  take(nowMs: number): string | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.atMs > nowMs) return undefined;
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) this.#sink(last);
    return first.name;
  }

  #sink(entry: Entry): void {
    const heap = this.#heap;
    let index = 0;
    for (;;) {
      let childIndex = 2 * index + 1;
      const [left, right] = [heap[childIndex], heap[childIndex + 1]];
      if (left !== undefined && right !== undefined && right.atMs < left.atMs) childIndex++;
      const child = heap[childIndex];
      if (child === undefined || child.atMs >= entry.atMs) break;
      heap[index] = child;
      index = childIndex;
    }
    heap[index] = entry;
  }
}
