/** What befell a run, how often. */

export class FaultLog {
  readonly #counts = new Map<string, number>();

  add(name: string, times = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + times);
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }
}
