/** Counts what a runtime has fetched and not handled yet: turns and activities, also those whose commit is under way. */
export class InHand {
  #count = 0;
  #begun = 0;

  get count(): number {
    return this.#count;
  }

  /** How many have begun so far. */
  get begun(): number {
    return this.#begun;
  }

  begin(): void {
    this.#count++;
    this.#begun++;
  }

  end(): void {
    this.#count--;
  }
}
