/**
 * How long turns of an instance may begin with what this process knows, before the store is read again.
 *
 * 1. After 16 such turns the next one reads, so that a loop of short turns cannot keep out what another process sent.
 * 2. Turns that follow each other closely read after 200 ms. Where the instance is free in between, the query for
 *    candidates finds what others sent, and a turn that waited for an activity costs no request more.
 * 3. A timer stands alone only within 200 ms of the last read: a message that came before its deadline comes before it
 *    (docs/reference/provider-contract.md §4.1).
 */
import { FREE_MS, UNREAD_MS } from "./waits.ts";

const MOST_TURNS = 16;

export class Looks {
  #turns = 0;
  #readAtMs = Number.NEGATIVE_INFINITY;
  /** Since when the turns follow each other. */
  #busySinceMs = Number.NEGATIVE_INFINITY;
  /** Infinite while a turn is under way. */
  #freeSinceMs = Number.NEGATIVE_INFINITY;

  mayGoOn(nowMs: number, hasTimer: boolean): boolean {
    if (this.#turns >= MOST_TURNS) return false;
    if (hasTimer) return nowMs - this.#readAtMs < UNREAD_MS;
    return this.#wasFree(nowMs) || nowMs - this.#busySinceMs < UNREAD_MS;
  }

  /** A turn begins, on messages that were read together with the instance. */
  read(nowMs: number): void {
    this.#turns = 0;
    this.#readAtMs = nowMs;
    this.#busySinceMs = nowMs;
    this.#freeSinceMs = Number.POSITIVE_INFINITY;
  }

  /** A turn begins, on messages that were known. */
  wentOn(nowMs: number): void {
    this.#turns++;
    if (this.#wasFree(nowMs)) this.#busySinceMs = nowMs;
    this.#freeSinceMs = Number.POSITIVE_INFINITY;
  }

  /** A turn has ended. */
  left(nowMs: number): void {
    this.#freeSinceMs = nowMs;
  }

  #wasFree(nowMs: number): boolean {
    return nowMs - this.#freeSinceMs >= FREE_MS;
  }
}
