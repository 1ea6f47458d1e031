/**
 * Decides when a turn of an instance must read the store, instead of beginning with messages in memory.
 *
 * - turn-reads.LK1: After 16 turns from memory the next one reads, so that a loop of short turns cannot exclude messages
 *   of other processes.
 * - turn-reads.LK2: Turns that follow each other closely read after 200 ms. If the instance is unlocked in between, the
 *   query for candidates finds messages of other processes, so a turn that waited for an activity needs no further
 *   request.
 * - turn-reads.LK3: A turn may begin with a timer alone only within 200 ms of the last read, because a message that
 *   arrived before its deadline must be processed before it (docs/reference/provider-contract.md §4.1). That of a schedule
 *   needs no such read.
 */
import { hasPassed } from "@duroxide-ts/core/stores";
import { FREE_MS, UNREAD_MS } from "./waits.ts";

const MOST_TURNS = 16;

export class TurnReads {
  #turns = 0;
  #readAtMs = Number.NEGATIVE_INFINITY;
  /** The start of the current sequence of turns. */
  #busySinceMs = Number.NEGATIVE_INFINITY;
  /** The end of the last turn; infinite during a turn. */
  #freeSinceMs = Number.NEGATIVE_INFINITY;

  mayUseMemory(nowMs: number, hasTimer: boolean): boolean {
    if (this.#turns >= MOST_TURNS) return false;
    if (hasTimer) return !hasPassed(nowMs, this.#readAtMs, UNREAD_MS);
    return this.#wasFree(nowMs) || !hasPassed(nowMs, this.#busySinceMs, UNREAD_MS);
  }

  /** Called when a turn begins with messages that were read together with the instance. */
  ranFromStore(nowMs: number): void {
    this.#turns = 0;
    this.#readAtMs = nowMs;
    this.#busySinceMs = nowMs;
    this.#freeSinceMs = Number.POSITIVE_INFINITY;
  }

  /** Called when a turn begins with messages in memory. */
  ranFromMemory(nowMs: number): void {
    this.#turns++;
    if (this.#wasFree(nowMs)) this.#busySinceMs = nowMs;
    this.#freeSinceMs = Number.POSITIVE_INFINITY;
  }

  /** Called when a turn has ended. */
  ended(nowMs: number): void {
    this.#freeSinceMs = nowMs;
  }

  #wasFree(nowMs: number): boolean {
    return nowMs - this.#freeSinceMs >= FREE_MS;
  }
}
