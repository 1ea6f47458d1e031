/** The next message that becomes visible by itself: the timer of an instance or of a schedule, or a start for later. */
import type { ProviderAdmin } from "../contract/admin.ts";

/** Messages come in the order in which they become visible; what waits for other processes may come before. */
const MOST_BEFORE = 100;

/** ms since the epoch; undefined if there is none among the first, or the store does not say. */
export async function nextDueMs(
  admin: Pick<ProviderAdmin, "listWork">,
  nowMs: number,
): Promise<number | undefined> {
  try {
    const { work } = await admin.listWork({ kind: "orchestrator", limit: MOST_BEFORE });
    const next = work.find(({ visibleAtMs, suspended }) => visibleAtMs > nowMs && suspended !== true);
    return next?.visibleAtMs;
  } catch {
    return undefined;
  }
}
