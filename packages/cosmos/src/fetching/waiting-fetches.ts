/**
 * The fetches of this process that wait for work, in queues: one for all fetches that ask for the same.
 *
 * Q1. The first fetch of a queue polls for all of it, so that one poll and one timer serve any number. As soon as it
 *     has found something to try, the next one polls.
 * Q2. A commit may reserve a fetch that waits, and lock in passing what it would take (docs/decisions/
 *     0014-claim-while-committing.md). A reserved fetch does not poll.
 * Q3. `notices` grows with everything that was written. A fetch that saw the number before it looked, and finds it the
 *     same when it begins to wait, has missed nothing.
 */
import type { Clock } from "@duroxide-ts/core";
import { type FetchQueue, firstOf, type Reserved, WaitingFetch } from "./waiting-fetch.ts";

export class WaitingFetches<Request, Claim> implements FetchQueue {
  readonly clock: Clock;
  /** By what is asked for. */
  readonly #queues = new Map<string, Set<WaitingFetch<Request, Claim>>>();
  /** Fetches that nothing can serve. */
  readonly #alone = new Set<WaitingFetch<undefined, Claim>>();
  #closed = false;
  #notices = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Grows with everything that was written: a fetch that saw this number has missed nothing if it is still the same. */
  get notices(): number {
    return this.#notices;
  }

  /** At the end of the queue of fetches that ask for the same. */
  enter(asks: string, request: Request): WaitingFetch<Request, Claim> {
    const queue = this.#queues.get(asks) ?? new Set();
    this.#queues.set(asks, queue);
    return new WaitingFetch(this, queue, request);
  }

  /** Something was written that a fetch may wait for. */
  notify(): void {
    this.#notices++;
    for (const queue of this.#queues.values()) firstOf(queue)?.wake();
  }

  /** One that waits and would take it; if possible not the one that polls for the others. */
  reserve(wouldTake: (request: Request) => boolean): Reserved<Request, Claim> | undefined {
    let first: WaitingFetch<Request, Claim> | undefined;
    for (const place of this.#places()) {
      if (!place.waits || !place.isFree || !wouldTake(place.request)) continue;
      if (!place.isFirst) return place.reserve();
      first ??= place;
    }
    return first?.reserve();
  }

  /** Until the instant, whatever is written: for a fetch that nothing can serve. */
  async waitAlone(untilMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (untilMs <= this.clock.now()) return;
    const place = new WaitingFetch<undefined, Claim>(this, new Set(), undefined);
    this.#alone.add(place);
    await place.wait(this.#notices, { lookMs: untilMs, endMs: untilMs }, signal);
    this.#alone.delete(place);
  }

  close(): void {
    this.#closed = true;
    for (const place of [...this.#places(), ...this.#alone]) place.giveUp();
  }

  *#places(): Generator<WaitingFetch<Request, Claim>> {
    for (const queue of this.#queues.values()) yield* queue;
  }
}
