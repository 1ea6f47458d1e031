/**
 * The overview, read once for all pages that show it. In a store with many instances it counts for hundreds of
 * milliseconds, in steps between other work, so it is kept for ten times as long as it took: its counts take at most a
 * tenth of a processor, however many pages are open.
 */
import type { Clock } from "@duroxide-ts/core";
import type { Overview } from "../page/shapes/overview.ts";
import { Kept } from "./kept.ts";

const KEPT_FOR = 10;

export class SharedOverview {
  readonly #kept = new Kept<Overview>(({ asOfMs, tookMs }) => asOfMs + tookMs * KEPT_FOR);

  async read(clock: Clock, readAnew: () => Promise<Overview>): Promise<Overview> {
    const found = await this.#kept.read(clock, readAnew);
    // The page takes the time of the server from each answer.
    return { ...found, nowMs: clock.now() };
  }
}
