/**
 * Lets every promise reaction that can run, run. A next-tick callback that is queued from inside a microtask is
 * called when the microtask queue has run dry, so no event-loop round is spent, and whatever waits for I/O, a
 * timer or setImmediate is still pending afterwards (docs/decisions/0006).
 */
export async function drainMicrotasks(): Promise<void> {
  await undefined;
  await new Promise<void>((resolve) => process.nextTick(resolve));
}
