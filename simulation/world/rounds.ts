/**
 * Rounds of the event loop. What a process asks of `setImmediate` belongs to the step that asked, so a step is over when
 * no round is asked for any more.
 */
import { createRequire, syncBuiltinESMExports } from "node:module";

const realImmediate = setImmediate;
const require = createRequire(import.meta.url);

type Immediates = {
  setImmediate: (callback: (...args: unknown[]) => void, ...args: unknown[]) => unknown;
};

export class Rounds {
  #asked = 0;

  /** Replaces `setImmediate` everywhere by one that is counted. For the whole life of the operating system's process. */
  install(): void {
    const counted = (callback: (...args: unknown[]) => void, ...args: unknown[]): unknown => {
      this.#asked++;
      return realImmediate(() => {
        this.#asked--;
        callback(...args);
      });
    };
    const promised = (value?: unknown): Promise<unknown> =>
      new Promise((resolve) => counted(() => resolve(value)));
    Object.assign(globalThis, { setImmediate: counted });
    (require("node:timers") as Immediates).setImmediate = counted;
    (require("node:timers/promises") as Record<string, unknown>)["setImmediate"] = promised;
    syncBuiltinESMExports();
  }

  /** Resolves when nothing can go on by itself. */
  async settle(): Promise<void> {
    do await new Promise<void>((resolve) => realImmediate(() => resolve()));
    while (this.#asked > 0);
  }
}
