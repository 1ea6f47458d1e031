/**
 * Resolves when the microtask queue is empty: every promise reaction that could run has run. A next-tick callback that
 * is queued from inside a microtask is called at that point, so no turn of the event loop is spent, and what waits for
 * I/O, a timer or setImmediate is still pending afterwards (docs/decisions/0006).
 */
export async function drainMicrotasks(): Promise<void> {
  await undefined;
  await new Promise<void>((resolve) => process.nextTick(resolve));
}
