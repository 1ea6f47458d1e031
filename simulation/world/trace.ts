/** Everything that happens in a run, in its order, as one number. Two runs of a seed have the same. */
import { createHash, hash } from "node:crypto";

const PENDING_CHARACTERS = 65_536;

export interface TraceOptions {
  /** Gets every line; none are kept without it. */
  readonly onLine?: ((line: string) => void) | undefined;
}

export class Trace {
  readonly #hash = createHash("sha256");
  readonly #onLine: ((line: string) => void) | undefined;
  #characters = 0;
  /** Text that is not hashed yet: one long text takes less time than many short ones. */
  #pending = "";

  constructor({ onLine }: TraceOptions = {}) {
    this.#onLine = onLine;
  }

  /** `body` counts, and is shown as a digest only. */
  add(line: string, body: string | Uint8Array = ""): void {
    const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8");
    this.#pending += `${line}${text}\n`;
    this.#characters += line.length + text.length;
    if (this.#pending.length > PENDING_CHARACTERS) this.#flush();
    if (this.#onLine === undefined) return;
    this.#onLine(text === "" ? line : `${line} ${hash("md5", text, "base64url").slice(0, 8)}`);
  }

  /** Shows what does not belong to the run: it does not count. */
  show(line: () => string): void {
    this.#onLine?.(line());
  }

  /** Length of the lines and bodies until now. */
  get characters(): number {
    return this.#characters;
  }

  /** Ends the trace. */
  digest(): string {
    this.#flush();
    return this.#hash.digest("hex").slice(0, 16);
  }

  #flush(): void {
    this.#hash.update(this.#pending);
    this.#pending = "";
  }
}
