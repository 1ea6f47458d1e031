/**
 * Fetches that found no work and wait until their poll timeout (docs/reference/provider-contract.md §6).
 *
 * - long-poll.LP1: Whenever work may have become eligible, all of them search again, oldest first. So work goes to the
 *   fetch that has waited longest.
 * - long-poll.LP2: After a change they search in the next microtask, so messages of one synchronous run are fetched
 *   together.
 * - long-poll.LP3: They share one timer, for the next time at which work becomes eligible without a change. No timer
 *   runs while no fetch waits, because a timer keeps the process alive.
 */

import type { CancelTimer, Clock } from "../../contract/clock.ts";
import { onAbort } from "../../contract/on-abort.ts";
import { inMicrotask } from "../../host/originals.ts";

export interface Patience {
  readonly pollTimeoutMs: number;
  readonly signal?: AbortSignal;
}

export class LongPoll {
  readonly #clock: Clock;
  /** The next time at which work becomes eligible without a write; infinity if there is none. */
  readonly #nextDueMs: (nowMs: number) => number;
  readonly #waiting = new Set<{ readonly retry: () => void; readonly giveUp: () => void }>();
  #waking = false;
  #wakeUp: { readonly atMs: number; readonly cancel: CancelTimer } | undefined;

  constructor(clock: Clock, nextDueMs: (nowMs: number) => number) {
    this.#clock = clock;
    this.#nextDueMs = nextDueMs;
  }

  /** The result of `take`, now or later; `undefined` after the poll timeout or if the signal aborts. */
  async fetch<T>(take: () => T | undefined, patience: Patience): Promise<T | undefined> {
    if (patience.signal?.aborted) return undefined;
    const taken = take();
    const fetched = taken ?? (patience.pollTimeoutMs > 0 ? this.#wait(take, patience) : undefined);
    this.#setWakeUp();
    return fetched;
  }

  /** Called after every change that may make work eligible (long-poll.LP2). */
  wake(): void {
    if (this.#waking) return;
    this.#waking = true;
    inMicrotask(() => {
      this.#waking = false;
      for (const { retry } of [...this.#waiting]) retry();
      this.#setWakeUp();
    });
  }

  /** Ends all waits without work. */
  close(): void {
    for (const { giveUp } of [...this.#waiting]) giveUp();
  }

  #wait<T>(take: () => T | undefined, { pollTimeoutMs, signal }: Patience): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiting.delete(waiting);
        cancelDeadline();
        forget();
        if (this.#waiting.size === 0) this.#setWakeUp();
      };
      const giveUp = (): void => {
        end();
        resolve(undefined);
      };
      const retry = (): void => {
        try {
          const taken = take();
          if (taken === undefined) return;
          end();
          resolve(taken);
        } catch (error) {
          end();
          reject(error);
        }
      };
      const cancelDeadline = this.#clock.schedule(pollTimeoutMs, giveUp);
      const forget = onAbort(signal, giveUp);
      const waiting = { retry, giveUp };
      this.#waiting.add(waiting);
    });
  }

  /** long-poll.LP3 */
  #setWakeUp(): void {
    const nowMs = this.#clock.now();
    const atMs = this.#waiting.size === 0 ? Number.POSITIVE_INFINITY : this.#nextDueMs(nowMs);
    if (atMs === this.#wakeUp?.atMs) return;
    this.#wakeUp?.cancel();
    this.#wakeUp = undefined;
    if (atMs === Number.POSITIVE_INFINITY) return;
    const cancel = this.#clock.schedule(atMs - nowMs, () => {
      this.#wakeUp = undefined;
      this.wake();
    });
    this.#wakeUp = { atMs, cancel };
  }
}
