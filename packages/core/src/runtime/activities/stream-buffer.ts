/**
 * Values that one delivery of an activity has written to one stream, and that are not stored yet.
 *
 * - stream-buffer.SB1: Values reach the store in the order of their writes: one append at a time.
 * - stream-buffer.SB2: The first value goes to the store at once, and its write waits for it. So a stream that is closed
 *   refuses the first write, and a delivery has its number before its second.
 * - stream-buffer.SB3: A promise of a write resolves while at most `MOST_UNWRITTEN_BYTES` are unwritten.
 */
import type { CancelTimer, Clock } from "../../contract/clock.ts";
import { utf8Bytes } from "../../wire/utf8.ts";

/** Stores values, which the delivery has written after `written` others; rejects for good. */
export type Append = (values: readonly string[], written: number, close: boolean) => Promise<void>;

/** How long a value waits for others, ms. */
const LONGEST_WAIT_MS = 50;
/** Values that are written without waiting for others, bytes. */
const ENOUGH_BYTES = 16_384;
const MOST_UNWRITTEN_BYTES = 8_388_608;
/** Values of one append, bytes; one value at least. */
const MOST_APPENDED_BYTES = 1_048_576;

interface Waiting {
  /** The number of values that must be stored. */
  readonly count: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Unwritten {
  readonly text: string;
  readonly bytes: number;
}

export class StreamBuffer {
  readonly #clock: Clock;
  readonly #append: Append;
  #unwritten: Unwritten[] = [];
  #unwrittenBytes = 0;
  #stored = 0;
  #close: "open" | "asked" | "done" = "open";
  #isSending = false;
  /** Whether what is unwritten has waited long enough. */
  #isDue = false;
  #cancelTimer: CancelTimer | undefined;
  #waiting: Waiting[] = [];
  /** Writes that wait for room. */
  #crowded: (() => void)[] = [];
  #failure: { readonly error: unknown } | undefined;

  constructor(clock: Clock, append: Append) {
    this.#clock = clock;
    this.#append = append;
  }

  /** Values that are stored. */
  get stored(): number {
    return this.#stored;
  }

  get isClosed(): boolean {
    return this.#close !== "open";
  }

  async write(text: string): Promise<void> {
    this.#refuseFailed();
    const bytes = utf8Bytes(text);
    const isFirst = this.#stored === 0 && this.#unwritten.length === 0;
    this.#unwritten.push({ text, bytes });
    this.#unwrittenBytes += bytes;
    if (isFirst) return this.flush();
    if (this.#unwrittenBytes >= ENOUGH_BYTES) this.#send();
    else this.#arm();
    if (this.#unwrittenBytes > MOST_UNWRITTEN_BYTES) await this.#room();
  }

  async flush(): Promise<void> {
    this.#refuseFailed();
    if (this.#unwritten.length === 0 && this.#close !== "asked") return;
    const count = this.#stored + this.#unwritten.length;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ count, resolve, reject });
    this.#send();
    await promise;
  }

  async close(): Promise<void> {
    this.#refuseFailed();
    if (this.#close === "open") this.#close = "asked";
    await this.flush();
  }

  /** Refuses later writes. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#unwritten = [];
    this.#unwrittenBytes = 0;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    this.#makeRoom();
  }

  #refuseFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** A write that waits learns of a failure. */
  async #room(): Promise<void> {
    await new Promise<void>((resolve) => this.#crowded.push(resolve));
    this.#refuseFailed();
  }

  #makeRoom(): void {
    if (this.#unwrittenBytes > MOST_UNWRITTEN_BYTES) return;
    for (const resolve of this.#crowded.splice(0)) resolve();
  }

  #arm(): void {
    if (this.#isSending) return;
    this.#cancelTimer ??= this.#clock.schedule(LONGEST_WAIT_MS, () => this.#send());
  }

  #send(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isDue = true;
    if (!this.#isSending) void this.#sendDue();
  }

  /** stream-buffer.SB1 */
  async #sendDue(): Promise<void> {
    this.#isSending = true;
    try {
      while (this.#isDue && this.#failure === undefined) await this.#sendPart();
    } catch (error) {
      this.fail(error);
    } finally {
      this.#isSending = false;
      if (this.#unwritten.length > 0) this.#arm();
    }
  }

  async #sendPart(): Promise<void> {
    const part = this.#nextPart();
    const isLast = part.length === this.#unwritten.length;
    const closes = isLast && this.#close === "asked";
    this.#isDue = !isLast;
    if (part.length === 0 && !closes) return;
    await this.#append(
      part.map(({ text }) => text),
      this.#stored,
      closes,
    );
    if (this.#failure !== undefined) return;
    if (closes) this.#close = "done";
    this.#unwritten.splice(0, part.length);
    this.#unwrittenBytes -= part.reduce((total, { bytes }) => total + bytes, 0);
    this.#stored += part.length;
    if (this.#unwrittenBytes >= ENOUGH_BYTES) this.#isDue = true;
    this.#makeRoom();
    this.#settle();
  }

  #nextPart(): readonly Unwritten[] {
    let bytes = 0;
    const end = this.#unwritten.findIndex((each) => {
      bytes += each.bytes;
      return bytes > MOST_APPENDED_BYTES;
    });
    return end === -1 ? [...this.#unwritten] : this.#unwritten.slice(0, Math.max(1, end));
  }

  #settle(): void {
    const isStored = ({ count }: Waiting): boolean =>
      count <= this.#stored && (this.#close !== "asked" || count < this.#stored);
    const stored = this.#waiting.filter(isStored);
    this.#waiting = this.#waiting.filter((each) => !stored.includes(each));
    for (const { resolve } of stored) resolve();
  }
}
