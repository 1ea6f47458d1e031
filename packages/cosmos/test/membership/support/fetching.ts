/** A process that fetches one after the other, until `stop`. */
export class Fetching<Fetched> {
  readonly got: Fetched[] = [];
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;

  constructor(
    fetch: (signal: AbortSignal) => Promise<Fetched | undefined>,
    handle: (fetched: Fetched) => Promise<unknown>,
  ) {
    this.#done = this.#run(fetch, handle);
  }

  async #run(
    fetch: (signal: AbortSignal) => Promise<Fetched | undefined>,
    handle: (fetched: Fetched) => Promise<unknown>,
  ): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const fetched = await fetch(signal);
      if (fetched === undefined) continue;
      this.got.push(fetched);
      await handle(fetched);
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }
}
