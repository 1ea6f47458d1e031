/** A fetch in the queue of fetches that accept the same work. waiting-fetches.Q1 to waiting-fetches.Q3. */
import type { CancelTimer, Clock } from "@duroxide-ts/core";
import { invariant, onAbort } from "@duroxide-ts/core/stores";

/** A waiting fetch that does nothing until it gets a lock or is released. */
export interface Reserved<Request, Claim> {
  readonly request: Request;
  /** False if it does not wait any more; then the lock is for another fetch. */
  give(claim: Claim): boolean;
  /** Ends the reservation; the fetch polls again, unless it got a lock. */
  release(): void;
}

/** The state of the queues that a fetch reads. */
export interface FetchQueue {
  readonly clock: Clock;
  readonly closed: boolean;
  readonly notices: number;
}

/** The end of the wait, ms since the epoch. */
export interface WaitTimes {
  /** Time at which the first fetch of the queue polls again. */
  readonly lookMs: number;
  /** No fetch waits any longer. */
  readonly endMs: number;
}

/** Disposing leaves the queue. */
export class WaitingFetch<Request, Claim> implements Disposable {
  readonly request: Request;
  readonly #state: FetchQueue;
  readonly #queue: Set<WaitingFetch<Request, Claim>>;
  /** Ends the wait, if there is one. */
  #end: ((claim?: Claim) => void) | undefined;
  #isReserved = false;
  /** It tries work that it has found. */
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

  /** It may poll, and may get a lock. */
  get isFree(): boolean {
    return !this.#isReserved && !this.#isAway;
  }

  get waits(): boolean {
    return this.#end !== undefined;
  }

  /** There is work to try; the next fetch may poll for more. */
  handOver(): void {
    this.#change(() => {
      this.#isAway = true;
    });
  }

  /** It could not lock the work that it tried. */
  comeBack(): void {
    this.#isAway = false;
  }

  wake(): void {
    if (!this.#isReserved) this.#end?.();
  }

  /** Also if it is reserved. */
  giveUp(): void {
    this.#end?.();
  }

  reserve(): Reserved<Request, Claim> {
    invariant(this.waits && this.isFree, "waiting-fetches.Q2");
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
   * The first fetch of the queue waits for a write after the notice, or for the next poll; the others wait until they are
   * the first. Resolves to the lock that a commit took for it meanwhile, if there is one.
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
      const forget = onAbort(signal, () => this.giveUp());
      this.#end = (claim) => {
        cancel();
        forget();
        this.#end = undefined;
        this.#isReserved = false;
        resolve(claim);
      };
      const delayMs = (isFirst ? Math.min(lookMs, endMs) : endMs) - clock.now();
      // A reserved fetch waits for the outcome of one request.
      if (Number.isFinite(delayMs)) cancel = clock.schedule(Math.max(0, delayMs), () => this.wake());
    });
  }

  [Symbol.dispose](): void {
    this.#change(() => this.#queue.delete(this));
  }

  /** If another fetch is the first afterwards, it begins to poll. */
  #change(change: () => void): void {
    const before = firstOf(this.#queue);
    change();
    const after = firstOf(this.#queue);
    if (after !== before) after?.wake();
  }
}

/** The fetch that polls for the queue; a fetch that tries work or is reserved does not poll. */
export function firstOf<Request, Claim>(
  queue: Iterable<WaitingFetch<Request, Claim>>,
): WaitingFetch<Request, Claim> | undefined {
  for (const place of queue) if (place.isFree) return place;
  return undefined;
}
