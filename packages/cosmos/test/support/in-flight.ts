/** Requests that are on their way. */
export class InFlight {
  readonly #answers = new Set<Promise<unknown>>();

  async of<T>(answer: Promise<T>): Promise<T> {
    this.#answers.add(answer);
    try {
      return await answer;
    } finally {
      this.#answers.delete(answer);
    }
  }

  /** Until there are none; what an answer leads to may send the next request. */
  async idle(): Promise<void> {
    do {
      await Promise.allSettled(this.#answers);
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#answers.size > 0);
  }
}
