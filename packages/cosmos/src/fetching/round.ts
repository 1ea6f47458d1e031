/** One query of several physical partitions: the answers that are missing, and the callers that wait for them. */
export class Round {
  /** No caller waits for its answers any more. */
  isOver = false;
  /** Partitions that do not exist any more. */
  changes = 0;
  /** A partition has answered. */
  hasAnswer = false;
  /** A partition refuses the query permanently. */
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
