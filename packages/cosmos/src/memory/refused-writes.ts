/**
 * Items that this process could not write because the service refused it, for example because the partition is full:
 * locks, and the removal of delivered messages. They are retried with a back-off, so that they neither cost a request in
 * every fetch or pass nor block other items.
 */
import { ProviderError } from "@duroxide-ts/core";
import { FIRST_REFUSED_MS, LONGEST_REFUSED_MS } from "./waits.ts";

/** More than can be refused at a time. */
const MOST = 10_000;

interface Refused {
  readonly untilMs: number;
  readonly delayMs: number;
}

export class RefusedWrites {
  readonly #refused = new Map<string, Refused>();

  /** Returns how long the item is not retried, ms. */
  add(id: string, nowMs: number): number {
    if (this.#refused.size >= MOST) this.#refused.clear();
    const { delayMs: before = FIRST_REFUSED_MS / 2 } = this.#refused.get(id) ?? {};
    const delayMs = Math.min(2 * before, LONGEST_REFUSED_MS);
    this.#refused.set(id, { untilMs: nowMs + delayMs, delayMs });
    return delayMs;
  }

  /** End of the time in which the item is not retried; undefined if it may be. */
  untilMs(id: string, nowMs: number): number | undefined {
    if (this.#refused.size === 0) return undefined;
    const { untilMs = 0 } = this.#refused.get(id) ?? {};
    return untilMs > nowMs ? untilMs : undefined;
  }

  /** Whether its last write was refused. */
  has(id: string): boolean {
    return this.#refused.has(id);
  }

  /** Called when the item was written. */
  delete(id: string): void {
    this.#refused.delete(id);
  }
}

/** Whether the service refuses the request permanently, and not because of a concurrent write. */
export function isRefusal(error: unknown): error is ProviderError {
  return ProviderError.is(error) && error.code === "internal" && !error.retryable;
}
