/**
 * The overview, read once for all pages that show it.
 *
 * - shared-overview.OV1: In a store with many instances it counts for hundreds of milliseconds, in steps between other
 *   work. It is kept for ten times as long as it took: its counts take at most a tenth of a processor, however many
 *   pages are open.
 * - shared-overview.OV2: In a store that charges by request it is kept for as long as a page waits between two looks,
 *   and for so long that its requests take at most 4 RU a second on average: a hundredth of the smallest container.
 */
import type { Clock } from "@duroxide-ts/core";
import type { Overview } from "../page/shapes/overview.ts";
import { pauseForUnits, REFRESH_WITH_COST_MS } from "../page/shapes/refresh.ts";
import { Kept } from "./kept.ts";

const KEPT_FOR = 10;

export class SharedOverview {
  readonly #kept = new Kept<Overview>(keptUntilMs);

  async read(clock: Clock, readAnew: () => Promise<Overview>): Promise<Overview> {
    const found = await this.#kept.read(clock, readAnew);
    // The page takes the time of the server from each answer.
    return { ...found, ...(found.isPaged && { keptUntilMs: keptUntilMs(found) }), nowMs: clock.now() };
  }
}

function keptUntilMs({ asOfMs, tookMs, isPaged = false, requestUnits = 0 }: Overview): number {
  const forMs = tookMs * KEPT_FOR;
  if (!isPaged) return asOfMs + forMs;
  return asOfMs + Math.max(forMs, REFRESH_WITH_COST_MS, pauseForUnits(requestUnits));
}
