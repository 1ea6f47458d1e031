/** Tests with an object of their own. */
import { it } from "vitest";

/** Returns a function that declares tests; each gets an object that is opened before it and closed after it. */
export function eachWith<T extends Disposable | AsyncDisposable>(
  open: () => T | Promise<T>,
): (statement: string, body: (opened: T) => void | Promise<void>) => void {
  return (statement, body) =>
    it(statement, async () => {
      await using opened = await open();
      await body(opened);
    });
}
