/** How many requests a fault proxy received, for tests that limit them to so many in a second. */

export interface Rate {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
}

/** A point in time; `since` counts from it. */
export interface CountMark {
  readonly requests: number;
  readonly atMs: number;
}

export class RequestCounts {
  readonly #byStatus = new Map<number | "reset", number>();
  #requests = 0;

  get requests(): number {
    return this.#requests;
  }

  /** How many requests were answered with each status; `reset` are those that got no answer. */
  get byStatus(): ReadonlyMap<number | "reset", number> {
    return this.#byStatus;
  }

  mark(): CountMark {
    return { requests: this.#requests, atMs: performance.now() };
  }

  since(mark: CountMark): Rate {
    const requests = this.#requests - mark.requests;
    const seconds = (performance.now() - mark.atMs) / 1_000;
    return { requests, seconds, perSecond: seconds === 0 ? 0 : requests / seconds };
  }

  arrive(): void {
    this.#requests++;
  }

  count(status: number | undefined): void {
    const key = status ?? "reset";
    this.#byStatus.set(key, (this.#byStatus.get(key) ?? 0) + 1);
  }
}
