/** A fetch in the queue of fetches that ask for the same. Q1 to Q3: waiting-fetches.ts. */
import type { CancelTimer, Clock } from "@duroxide-ts/core";

/** A fetch that waits, and does nothing else until it is given something or released. */
export interface Reserved<Request, Claim> {
  readonly request: Request;
  /** False where it does not wait any more: what was locked for it is for others. */
  give(claim: Claim): boolean;
  /** Ends the reservation; the fetch polls again, unless it was given something. */
  release(): void;
}

/** What a fetch reads of the queues. */
export interface FetchQueue {
  readonly clock: Clock;
  readonly closed: boolean;
  readonly notices: number;
}

/** Until when to wait, ms since the epoch. */
export interface WaitTimes {
  /** The first of a queue wakes up then, to poll again. */
  readonly lookMs: number;
  /** No fetch waits any longer. */
  readonly endMs: number;
}

/** In a queue; disposing leaves it. */
export class WaitingFetch<Request, Claim> implements Disposable {
  readonly request: Request;
  readonly #state: FetchQueue;
  readonly #queue: Set<WaitingFetch<Request, Claim>>;
  /** Ends the wait, where there is one. */
  #end: ((claim?: Claim) => void) | undefined;
  #isReserved = false;
  /** It tries what it has found. */
  #isAway = false;

  constructor(state: FetchQueue, queue: Set<WaitingFetch<Request, Claim>>, request: Request) {
    this.#state = state;
    this.#queue = queue;
    this.request = request;
    queue.add(this);
  }

  /** Polls for all fetches of the queue. */
  get isFirst(): boolean {
    return firstOf(this.#queue) === this;
  }

  /** Free to look, and to be given something. */
  get isFree(): boolean {
    return !this.#isReserved && !this.#isAway;
  }

  get waits(): boolean {
    return this.#end !== undefined;
  }

  /** There is something to try; the next fetch may poll for more. */
  handOver(): void {
    this.#change(() => {
      this.#isAway = true;
    });
  }

  /** What it tried could not be had. */
  comeBack(): void {
    this.#isAway = false;
  }

  wake(): void {
    if (!this.#isReserved) this.#end?.();
  }

  /** Also where it is reserved. */
  giveUp(): void {
    this.#end?.();
  }

  reserve(): Reserved<Request, Claim> {
    this.#change(() => {
      this.#isReserved = true;
    });
    return {
      request: this.request,
      give: (claim) => {
        const isThere = this.waits;
        this.#end?.(claim);
        return isThere;
      },
      release: () => this.#end?.(),
    };
  }

  /**
   * The first of the queue waits until something is written after the notice or until it is time to look, the others
   * until they are the first. Resolves to what was locked for it meanwhile, if anything.
   */
  wait(
    notice: number,
    { lookMs, endMs }: WaitTimes,
    signal: AbortSignal | undefined,
  ): Promise<Claim | undefined> {
    const { clock, closed, notices } = this.#state;
    const { isFirst } = this;
    if (closed || signal?.aborted || (isFirst && notice !== notices)) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      let cancel: CancelTimer = () => {};
      const giveUp = (): void => this.giveUp();
      this.#end = (claim) => {
        cancel();
        signal?.removeEventListener("abort", giveUp);
        this.#end = undefined;
        this.#isReserved = false;
        resolve(claim);
      };
      const delayMs = (isFirst ? Math.min(lookMs, endMs) : endMs) - clock.now();
      // A reserved fetch waits for the outcome of one request.
      if (Number.isFinite(delayMs)) cancel = clock.schedule(Math.max(0, delayMs), () => this.wake());
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  [Symbol.dispose](): void {
    this.#change(() => this.#queue.delete(this));
  }

  /** Where another one is the first afterwards, it begins to poll. */
  #change(change: () => void): void {
    const before = firstOf(this.#queue);
    change();
    const after = firstOf(this.#queue);
    if (after !== before) after?.wake();
  }
}

/** The one that polls for all; a fetch that tries something or is reserved does not. */
export function firstOf<Request, Claim>(
  queue: Iterable<WaitingFetch<Request, Claim>>,
): WaitingFetch<Request, Claim> | undefined {
  for (const place of queue) if (place.isFree) return place;
  return undefined;
}
