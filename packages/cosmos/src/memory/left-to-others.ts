/**
 * What this process has tried in vain, and leaves for a while to those who share its slots with it: what it has no
 * handler for, they may have. Only where nobody else has taken it by then is it tried here again.
 */
import { LEFT_TO_OTHERS_MS } from "./waits.ts";

/** More than can be tried in vain at a time. */
const MOST = 10_000;

export class LeftToOthers {
  /** By the id of what was tried: from when on it is visible again, ms since the epoch. */
  readonly #visibleAtMs = new Map<string, number>();

  add(id: string, visibleAtMs: number): void {
    if (this.#visibleAtMs.size >= MOST) this.#visibleAtMs.clear();
    this.#visibleAtMs.set(id, visibleAtMs);
  }

  /**
   * Until when it is left to others; `undefined` where it is not, or not any more. Before it is visible again only
   * something new can lead there, such as a cancellation, which anybody can deal with.
   */
  untilMs(id: string, nowMs: number): number | undefined {
    const visibleAtMs = this.#visibleAtMs.get(id);
    if (visibleAtMs === undefined || nowMs < visibleAtMs) return undefined;
    const untilMs = visibleAtMs + LEFT_TO_OTHERS_MS;
    if (nowMs < untilMs) return untilMs;
    this.#visibleAtMs.delete(id);
    return undefined;
  }
}
