/** An agenda of virtual time, the earliest first. Things of the same instant come in the order of a number. */

export interface Happening {
  readonly dueMs: number;
  readonly tie: number;
  /** Undefined once it is cancelled, so that the agenda keeps nothing alive that it held. */
  callback: (() => void) | undefined;
}

export class Agenda<Item extends Happening> {
  /** A binary heap. */
  readonly #heap: Item[] = [];

  get first(): Item | undefined {
    return this.#heap[0];
  }

  push(item: Item): void {
    const heap = this.#heap;
    let at = heap.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || isBefore(above, item)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = item;
  }

  pop(): Item | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const [a, b] = [heap[left], heap[left + 1]];
      if (a === undefined) break;
      const child = b !== undefined && isBefore(b, a) ? left + 1 : left;
      const below = heap[child] ?? a;
      if (isBefore(last, below)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: Happening, b: Happening): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.tie < b.tie);
}
