/**
 * Rounds of the event loop. What a process asks of `setImmediate` belongs to the step that asked, so a step is over when
 * no round is asked for any more.
 */
import { createRequire, syncBuiltinESMExports } from "node:module";

const realImmediate = setImmediate;
const require = createRequire(import.meta.url);

const MOST_ROUNDS = 10_000;

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

  /** Resolves when nothing can go on by itself. Rejects where that does not come: something is repeated for ever. */
  async settle(): Promise<void> {
    for (let rounds = 1; ; rounds++) {
      await new Promise<void>((resolve) => realImmediate(() => resolve()));
      if (this.#asked === 0) return;
      if (rounds > MOST_ROUNDS)
        throw new Error(`a step takes more than ${MOST_ROUNDS} rounds of the event loop`);
    }
  }
}
