/** Everything that happens in a run, in its order, as one number. Two runs of a seed have the same. */
import { createHash } from "node:crypto";

export interface TraceOptions {
  /** Gets every line; none are kept without it. */
  readonly onLine?: ((line: string) => void) | undefined;
}

export class Trace {
  readonly #hash = createHash("sha256");
  readonly #onLine: ((line: string) => void) | undefined;
  #lines = 0;

  constructor({ onLine }: TraceOptions = {}) {
    this.#onLine = onLine;
  }

  add(line: string): void {
    this.#lines++;
    this.#hash.update(line).update("\n");
    this.#onLine?.(line);
  }

  get lines(): number {
    return this.#lines;
  }

  /** Ends the trace. */
  digest(): string {
    return this.#hash.digest("hex").slice(0, 16);
  }
}
