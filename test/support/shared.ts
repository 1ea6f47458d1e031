/** Objects that the tests of a suite share. */
import { afterAll, beforeAll } from "vitest";

/** Opens it before the first test of the suite and closes it after the last one. The tests get it from what is returned. */
export function shared<T extends AsyncDisposable>(open: () => Promise<T>): () => T {
  let opened: T | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(async () => opened?.[Symbol.asyncDispose]());
  return () => {
    if (opened === undefined) throw new Error("it is open while the tests of its suite run, and not before");
    return opened;
  };
}
