/** Delays of the runtime's own retries. */
import type { RuntimeSettings } from "../options/options.ts";

const LARGEST_EXPONENT = 6;

/** How long a message without a handler here waits for another node (runtime-semantics §3.4). `attempt` from 1. */
export function unregisteredDelayMs({ unregisteredBackoff }: RuntimeSettings, attempt: number): number {
  const { baseMs, maxMs } = unregisteredBackoff;
  return Math.min(baseMs * 2 ** Math.min(attempt - 1, LARGEST_EXPONENT), maxMs);
}
