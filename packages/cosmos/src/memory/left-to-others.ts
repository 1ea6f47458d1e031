/**
 * Items that this process could not use, for example because it has no handler. It leaves them for some time to the
 * other processes, which may have one, and retries an item only if no other process has taken it by then.
 */
import { LEFT_TO_OTHERS_MS } from "./waits.ts";

/** More items than can be left at a time. */
const MOST = 10_000;

export class LeftToOthers {
  /** Times at which items become visible again, by their ids, ms since the epoch. */
  readonly #visibleAtMs = new Map<string, number>();

  add(id: string, visibleAtMs: number): void {
    if (this.#visibleAtMs.size >= MOST) this.#visibleAtMs.clear();
    this.#visibleAtMs.set(id, visibleAtMs);
  }

  /**
   * End of the time in which the item is left to others; `undefined` if it is not, or not any more. Before it is
   * visible again, only a new message can lead to it, such as a cancellation, which every process can handle.
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
