/** One question to several physical partitions: who still has to answer, and who wants to know. */
export class Round {
  /** Nobody waits for its answers any more. */
  isOver = false;
  /** Partitions that were found gone. */
  changes = 0;
  /** Some partition has answered. */
  hasAnswer = false;
  /** A partition refuses the question for good. */
  refusal: Error | undefined;
  #pending = 0;
  #hasRows = false;
  #changed: () => void = () => {};

  add(asking: Promise<void>): void {
    this.#pending++;
    const ended = (): void => {
      this.#pending--;
      this.#changed();
    };
    asking.then(ended, ended);
  }

  answered(hasRows: boolean): void {
    this.hasAnswer = true;
    this.#hasRows ||= hasRows;
    this.#changed();
  }

  get isComplete(): boolean {
    return this.#pending === 0;
  }

  get hasRows(): boolean {
    return this.#hasRows;
  }

  /** Called whenever one of these may have changed. */
  onChange(changed: () => void): void {
    this.#changed = changed;
  }
}
