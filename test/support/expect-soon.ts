/** An assertion on what a page shows, or on what a store has then: it waits until it holds. */
import { expect } from "vitest";

/** Longer than a page takes on a machine with many times the load; a test that waits in vain fails with the last value. */
const PATIENCE_MS = 120_000;

export function expectSoon<T>(read: () => T | Promise<T>): ReturnType<typeof expect.poll<T>> {
  return expect.poll(read, { timeout: PATIENCE_MS });
}
