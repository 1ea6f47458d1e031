/** Limits how many entries of one kind are written, so that one cause does not fill the log. */
import { type Clock, hasPassed } from "../contract/clock.ts";

const WINDOW_MS = 60_000;
const MOST_IN_WINDOW = 10;
/** The number of remembered kinds. Beyond it old kinds are forgotten, which bounds memory but may write more lines. */
const MOST_KINDS = 1_000;

interface Window {
  beganAtMs: number;
  written: number;
  leftOut: number;
}

export class LogLimit {
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A note to add to the entry, often empty; `undefined` where the entry is left out. */
  admit(kind: string): string | undefined {
    const nowMs = this.#clock.now();
    const window = this.#windowOf(kind, nowMs);
    if (hasPassed(nowMs, window.beganAtMs, WINDOW_MS)) {
      const { leftOut } = window;
      Object.assign(window, { beganAtMs: nowMs, written: 1, leftOut: 0 });
      return leftOut === 0 ? "" : ` (${leftOut} more of this kind were left out since the last one)`;
    }
    window.written += 1;
    if (window.written < MOST_IN_WINDOW) return "";
    if (window.written === MOST_IN_WINDOW) return " (more of this kind are left out for a minute)";
    window.leftOut += 1;
    return undefined;
  }

  #windowOf(kind: string, nowMs: number): Window {
    const known = this.#windows.get(kind);
    if (known !== undefined) return known;
    if (this.#windows.size >= MOST_KINDS) this.#windows.clear();
    const window = { beganAtMs: nowMs, written: 0, leftOut: 0 };
    this.#windows.set(kind, window);
    return window;
  }
}
