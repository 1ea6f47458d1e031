/**
 * The overview, read once for all pages that show it. In a store with many instances it counts for hundreds of
 * milliseconds, in steps between other work, so it is kept for ten times as long as it took: its counts take at most a
 * tenth of a processor, however many pages are open.
 */
import type { Clock } from "@duroxide-ts/core";
import type { Overview } from "../page/shapes/overview.ts";

const KEPT_FOR = 10;

export class SharedOverview {
  #reading: Promise<Overview> | undefined;
  #until = 0;

  async read(clock: Clock, readAnew: () => Promise<Overview>): Promise<Overview> {
    if (this.#reading === undefined || clock.now() >= this.#until) this.#reading = this.#begin(readAnew);
    // The page takes the time of the server from each answer.
    return { ...(await this.#reading), nowMs: clock.now() };
  }

  /** Shared while it is under way. A failure is not kept. */
  async #begin(readAnew: () => Promise<Overview>): Promise<Overview> {
    this.#until = Number.POSITIVE_INFINITY;
    try {
      const found = await readAnew();
      this.#until = found.asOfMs + found.tookMs * KEPT_FOR;
      return found;
    } catch (error) {
      this.#reading = undefined;
      throw error;
    }
  }
}
