/** Texts in the memory of SQLite's module. */
import type { Pointer, Wasm } from "./wasm-api.ts";

const SCRATCH_BYTES = 65_536;

const byModule = new WeakMap<Wasm, Texts>();

export class Texts {
  readonly #wasm: Wasm;
  readonly #scratch: Pointer;
  #view: Buffer = Buffer.alloc(0);

  private constructor(wasm: Wasm) {
    this.#wasm = wasm;
    this.#scratch = wasm.alloc(SCRATCH_BYTES);
  }

  /** One for each module, because it keeps a piece of its memory. */
  static of(wasm: Wasm): Texts {
    const texts = byModule.get(wasm) ?? new Texts(wasm);
    byModule.set(wasm, texts);
    return texts;
  }

  /** Puts the text into memory during the call. */
  lend(text: string, use: (start: Pointer, bytes: number) => number): number {
    const bytes = Buffer.byteLength(text);
    const isShort = bytes <= SCRATCH_BYTES;
    const start = isShort ? this.#scratch : this.#wasm.alloc(bytes);
    this.#memory().write(text, start);
    const code = use(start, bytes);
    if (!isShort) this.#wasm.dealloc(start);
    return code;
  }

  read(start: Pointer, bytes: number): string {
    return bytes === 0 ? "" : this.#memory().toString("utf8", start, start + bytes);
  }

  /** Up to the next zero. */
  terminated(start: Pointer): string {
    const memory = this.#memory();
    return memory.toString("utf8", start, memory.indexOf(0, start));
  }

  /** A copy. */
  bytes(start: Pointer, bytes: number): Uint8Array {
    return Uint8Array.from(this.#memory().subarray(start, start + bytes));
  }

  /** The memory moves when it grows. */
  #memory(): Buffer {
    const { buffer } = this.#wasm.heap8u();
    if (this.#view.buffer !== buffer) this.#view = Buffer.from(buffer);
    return this.#view;
  }
}
