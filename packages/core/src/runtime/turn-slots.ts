/** How many turns run at a time: those of the dispatcher's slots, and fused ones, which have no slot of their own. */

export class TurnSlots {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Turns that run. */
  get busy(): number {
    return this.#busy;
  }

  /** False where a turn more would be above the limit, or others wait. */
  tryEnter(): boolean {
    if (this.#busy >= this.#limit) return false;
    this.#busy++;
    return true;
  }

  /** Resolves when the turn may run; at once where nothing is returned. */
  enter(): Promise<void> | undefined {
    if (this.tryEnter()) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#busy--;
    else next();
  }
}
