import { nextTick } from "../../host/originals.ts";

/**
 * Resolves when the microtask queue is empty: every promise reaction that could run has run. Node calls a next-tick
 * callback that was queued inside a microtask exactly then. Therefore no round of the event loop is needed, and code
 * that waits for I/O, a timer or setImmediate is still pending afterwards (docs/decisions/orchestration-code.md).
 */
export async function drainMicrotasks(): Promise<void> {
  await undefined;
  await new Promise<void>((resolve) => nextTick(resolve));
}
