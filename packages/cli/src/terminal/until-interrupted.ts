/** Waits for Ctrl-C. */
import type { Terminal } from "./terminal.ts";

export function untilInterrupted({ interrupted }: Terminal): Promise<void> {
  if (interrupted.aborted) return Promise.resolve();
  return new Promise((resolve) => interrupted.addEventListener("abort", () => resolve(), { once: true }));
}
