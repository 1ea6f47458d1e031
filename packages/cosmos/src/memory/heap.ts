/** A binary heap: the first item in constant time, adding and taking in logarithmic time. */
export class Heap<Item> {
  readonly #items: Item[] = [];
  readonly #isBefore: (a: Item, b: Item) => boolean;

  constructor(isBefore: (a: Item, b: Item) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  get first(): Item | undefined {
    return this.#items[0];
  }

  add(item: Item): void {
    const items = this.#items;
    let index = items.push(item) - 1;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = items[parentIndex];
      if (parent === undefined || !this.#isBefore(item, parent)) break;
      items[index] = parent;
      index = parentIndex;
    }
    items[index] = item;
  }

  take(): Item | undefined {
    const [first] = this.#items;
    const last = this.#items.pop();
    if (last !== undefined && this.#items.length > 0) this.#sink(last);
    return first;
  }

  #sink(item: Item): void {
    const items = this.#items;
    let index = 0;
    for (;;) {
      let childIndex = 2 * index + 1;
      const [left, right] = [items[childIndex], items[childIndex + 1]];
      if (left !== undefined && right !== undefined && this.#isBefore(right, left)) childIndex++;
      const child = items[childIndex];
      if (child === undefined || !this.#isBefore(child, item)) break;
      items[index] = child;
      index = childIndex;
    }
    items[index] = item;
  }
}
