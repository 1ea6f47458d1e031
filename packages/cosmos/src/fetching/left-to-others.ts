/**
 * What this process has tried in vain, and leaves for a while to those who share its slots with it: what it has no
 * handler for, they may have. Only where nobody else has taken it by then is it tried here again.
 */

/** After it is visible again. Others look beyond their own slots several times by then. */
const WHILE_MS = 8_000;

/** More than can be tried in vain at a time. */
const MOST = 10_000;

export class LeftToOthers {
  /** By the id of what was tried: until when, ms since the epoch. */
  readonly #untilMs = new Map<string, number>();

  add(id: string, visibleAtMs: number): void {
    if (this.#untilMs.size >= MOST) this.#untilMs.clear();
    this.#untilMs.set(id, visibleAtMs + WHILE_MS);
  }

  /** Until when it is left to others; `undefined` where it is not, or not any more. */
  untilMs(id: string, nowMs: number): number | undefined {
    const untilMs = this.#untilMs.get(id);
    if (untilMs === undefined || untilMs > nowMs) return untilMs;
    this.#untilMs.delete(id);
    return undefined;
  }
}
