/**
 * The fetches of this process that wait for work, in queues: one queue for all fetches that accept the same work.
 *
 * - waiting-fetches.Q1: The first fetch of a queue polls for all of it, so that one poll and one timer serve any number
 *   of fetches. As soon as it has found work to try, the next one polls.
 * - waiting-fetches.Q2: A commit may reserve a waiting fetch, and lock the work that it would take
 *   (docs/decisions/cosmos-turns.md). A reserved fetch does not poll.
 * - waiting-fetches.Q3: `notices` grows with every write. A fetch that reads the number before it polls, and finds the
 *   same number when it begins to wait, has missed no write.
 */
import type { Clock } from "@duroxide-ts/core";
import { type FetchQueue, firstOf, type Reserved, WaitingFetch } from "./waiting-fetch.ts";

export class WaitingFetches<Request, Claim> implements FetchQueue {
  readonly clock: Clock;
  /** Queues by the work that the fetches accept. */
  readonly #queues = new Map<string, Set<WaitingFetch<Request, Claim>>>();
  /** Fetches that accept no work. */
  readonly #alone = new Set<WaitingFetch<undefined, Claim>>();
  #closed = false;
  #notices = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Grows with every write (waiting-fetches.Q3). */
  get notices(): number {
    return this.#notices;
  }

  /** Enters the queue of fetches that accept the same work, at its end. */
  enter(asks: string, request: Request): WaitingFetch<Request, Claim> {
    const queue = this.#queues.get(asks) ?? new Set();
    this.#queues.set(asks, queue);
    return new WaitingFetch(this, queue, request);
  }

  /** The fetches that accept the same work, the caller included; it may not wait. */
  count(asks: string): number {
    return Math.max(1, this.#queues.get(asks)?.size ?? 0);
  }

  /** Work was written that a fetch may wait for. */
  notify(): void {
    this.#notices++;
    for (const queue of this.#queues.values()) firstOf(queue)?.wake();
  }

  /** A waiting fetch that accepts it; if possible not the one that polls for its queue. */
  reserve(wouldTake: (request: Request) => boolean): Reserved<Request, Claim> | undefined {
    let first: WaitingFetch<Request, Claim> | undefined;
    for (const place of this.#places()) {
      if (!place.waits || !place.isFree || !wouldTake(place.request)) continue;
      if (!place.isFirst) return place.reserve();
      first ??= place;
    }
    return first?.reserve();
  }

  /** Waits until that time, regardless of writes: for a fetch that accepts no work. */
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
