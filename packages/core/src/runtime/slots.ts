/**
 * Runs the same fetch loop in several slots until a signal stops it. No error ends a slot: what `work` does not handle is
 * a failed fetch, which StoreHealth answers with a back-off of all slots. A slot counts as busy from before its fetch
 * until its work is handled, so lone work waits for fetches in flight, too (lone-runs.L2).
 */
import { type Clock, sleep } from "../contract/clock.ts";
import { invariant } from "../errors/invariant.ts";
import type { LoneRuns } from "./trouble/lone-runs.ts";
import type { StoreCalls, StoreHealth } from "./trouble/store-health.ts";

export interface SlotOptions {
  /** The queue that the slots fetch from. */
  readonly queue: Exclude<StoreCalls, "commits">;
  readonly count: number;
  readonly clock: Clock;
  readonly health: StoreHealth;
  readonly loneRuns: LoneRuns;
  /** No further work is fetched once it aborts. */
  readonly stopping: AbortSignal;
  /** Fetches one piece of work and handles it; false if there was none. `index` names the slot. */
  readonly work: (index: number) => Promise<boolean>;
  /** The pause of an idle slot between fetches from a store that does not wait itself. */
  readonly minPollIntervalMs: number;
}

/** Resolves when every slot has finished what it was doing after `stopping` aborted. */
export async function runSlots(options: SlotOptions): Promise<void> {
  await Promise.all(Array.from({ length: options.count }, (_, index) => runSlot(options, index)));
}

async function runSlot(options: SlotOptions, index: number): Promise<void> {
  const { clock, health, loneRuns, queue, stopping, work, minPollIntervalMs } = options;
  while (!stopping.aborted) {
    if (loneRuns.closed) await loneRuns.opened();
    if (!health.good) await health.ready(queue);
    if (loneRuns.closed || stopping.aborted) {
      // Lone work arrived while this slot waited for the store.
      health.release(queue);
      continue;
    }
    const startedAtMs = clock.now();
    loneRuns.enter();
    try {
      invariant(!loneRuns.closed, "lone-runs.L1");
      if (await work(index)) continue;
    } catch (error) {
      health.failed(queue, error);
      continue;
    } finally {
      loneRuns.leave();
    }
    await sleep(clock, minPollIntervalMs - (clock.now() - startedAtMs), stopping);
  }
}
