/** Runs the same loop in several slots until it is told to stop. */
import { type Clock, sleep } from "../contract/clock.ts";
import { ProviderError } from "../contract/provider-error.ts";
import type { Logger } from "../define/logger.ts";

export interface SlotOptions {
  readonly name: string;
  readonly count: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** No further work is fetched once it aborts. */
  readonly stopping: AbortSignal;
  /** Looks for one piece of work and does it; false when there was none. `index` names the slot. */
  readonly work: (index: number) => Promise<boolean>;
  /** How soon an idle slot looks again where the store does not wait itself. */
  readonly minPollIntervalMs: number;
}

const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 3_000;
const PERMANENT_ERROR_PAUSE_MS = 100;

/** Resolves when every slot has finished what it was doing after `stopping` aborted. */
export async function runSlots(options: SlotOptions): Promise<void> {
  await Promise.all(Array.from({ length: options.count }, (_, index) => runSlot(options, index)));
}

async function runSlot(options: SlotOptions, index: number): Promise<void> {
  const { clock, stopping, work, minPollIntervalMs } = options;
  let failures = 0;
  while (!stopping.aborted) {
    const startedAtMs = clock.now();
    try {
      const worked = await work(index);
      failures = 0;
      if (worked) continue;
      await sleep(clock, minPollIntervalMs - (clock.now() - startedAtMs), stopping);
    } catch (error) {
      await sleep(clock, pauseAfter(error, failures++), stopping);
      report(options, error);
    }
  }
}

function pauseAfter(error: unknown, failures: number): number {
  if (!ProviderError.is(error) || !error.retryable) return PERMANENT_ERROR_PAUSE_MS;
  return Math.min(FIRST_BACKOFF_MS * 2 ** failures, LONGEST_BACKOFF_MS);
}

function report({ logger, name, stopping }: SlotOptions, error: unknown): void {
  if (stopping.aborted && ProviderError.is(error) && error.code === "closed") return;
  logger.warn(
    { event: "fetch_failed", slots: name, error },
    `${name}: looking for work failed; trying again`,
  );
}
