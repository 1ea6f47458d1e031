/** How many requests a fault proxy received, for tests that limit them to so many in a second. */

export interface Rate {
  readonly requests: number;
  readonly perSecond: number;
}

/** A point in time; `since` counts from it. */
export interface CountMark {
  readonly requests: number;
  readonly atMs: number;
}

export class RequestCounts {
  #requests = 0;

  mark(): CountMark {
    return { requests: this.#requests, atMs: performance.now() };
  }

  since(mark: CountMark): Rate {
    const requests = this.#requests - mark.requests;
    const seconds = (performance.now() - mark.atMs) / 1_000;
    return { requests, perSecond: seconds === 0 ? 0 : requests / seconds };
  }

  arrive(): void {
    this.#requests++;
  }
}
