/** Delays of the runtime's own retries. */
const BASE_MS = 1_000;
const MOST_MS = 60_000;
const LARGEST_EXPONENT = 6;

/** How long a message without a handler here waits for another node (runtime-semantics §3.4). `attempt` from 1. */
export function unregisteredDelayMs(attempt: number): number {
  return Math.min(BASE_MS * 2 ** Math.min(attempt - 1, LARGEST_EXPONENT), MOST_MS);
}
