/**
 * Those who wait for work in this process. They stand in lines, one for each thing that is asked for. The first of a
 * line looks for all of it, so that one look and one timer serve any number; as soon as it has found something to try,
 * the next one looks. Meanwhile a commit may lock in passing what any of them would take (docs/decisions/
 * 0014-claim-while-committing.md).
 */
import type { Clock } from "@duroxide-ts/core";
import { type FetchQueue, firstOf, type Reserved, WaitingFetch } from "./waiting-fetch.ts";

export class WaitingFetches<Request, Claim> implements FetchQueue {
  readonly clock: Clock;
  /** By what is asked for. */
  readonly #lines = new Map<string, Set<WaitingFetch<Request, Claim>>>();
  /** Those who ask for nothing that could come. */
  readonly #alone = new Set<WaitingFetch<undefined, Claim>>();
  #closed = false;
  #notices = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Grows with everything that was written: who saw this number has missed nothing if it is still the same. */
  get notices(): number {
    return this.#notices;
  }

  /** At the end of the line of those who ask for the same. */
  enter(asks: string, request: Request): WaitingFetch<Request, Claim> {
    const line = this.#lines.get(asks) ?? new Set();
    this.#lines.set(asks, line);
    return new WaitingFetch(this, line, request);
  }

  /** Something was written that somebody may wait for. */
  notify(): void {
    this.#notices++;
    for (const line of this.#lines.values()) firstOf(line)?.wake();
  }

  /** One that waits and would take it; if possible not one that looks for others. */
  reserve(wouldTake: (request: Request) => boolean): Reserved<Request, Claim> | undefined {
    let first: WaitingFetch<Request, Claim> | undefined;
    for (const place of this.#places()) {
      if (!place.waits || !place.isFree || !wouldTake(place.request)) continue;
      if (!place.isFirst) return place.reserve();
      first ??= place;
    }
    return first?.reserve();
  }

  /** Until the instant, whatever is written: for those who can be served by nothing. */
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
    for (const line of this.#lines.values()) yield* line;
  }
}
