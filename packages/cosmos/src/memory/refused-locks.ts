/**
 * What this process could not lock because the service refused the write: its partition is full, or the role does not
 * cover it. It is tried again with a back-off, so that it neither costs a request each time nor stops the rest.
 */
import { ProviderError } from "@duroxide-ts/core";
import { FIRST_REFUSED_MS, LONGEST_REFUSED_MS } from "./waits.ts";

/** More than can be refused at a time. */
const MOST = 10_000;

interface Refused {
  readonly untilMs: number;
  readonly delayMs: number;
}

export class RefusedLocks {
  readonly #refused = new Map<string, Refused>();

  /** Resolves to how long it is not tried, ms. */
  add(id: string, nowMs: number): number {
    if (this.#refused.size >= MOST) this.#refused.clear();
    const { delayMs: before = FIRST_REFUSED_MS / 2 } = this.#refused.get(id) ?? {};
    const delayMs = Math.min(2 * before, LONGEST_REFUSED_MS);
    this.#refused.set(id, { untilMs: nowMs + delayMs, delayMs });
    return delayMs;
  }

  /** Until when it is not tried; undefined where it may be. */
  untilMs(id: string, nowMs: number): number | undefined {
    if (this.#refused.size === 0) return undefined;
    const { untilMs = 0 } = this.#refused.get(id) ?? {};
    return untilMs > nowMs ? untilMs : undefined;
  }

  /** It was locked. */
  delete(id: string): void {
    this.#refused.delete(id);
  }
}

/** The service refuses the request for good, and not what others wrote meanwhile. */
export function isRefusal(error: unknown): error is ProviderError {
  return ProviderError.is(error) && error.code === "internal" && !error.retryable;
}
