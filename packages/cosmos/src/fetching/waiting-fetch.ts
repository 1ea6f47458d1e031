/** A fetch in the line of those who ask for the same. */
import type { CancelTimer, Clock } from "@duroxide-ts/core";

/** Somebody who waits, and does nothing else until it is given something or let go. */
export interface Reserved<Request, Claim> {
  readonly request: Request;
  /** False where it does not wait any more: what was locked for it is for others. */
  give(claim: Claim): boolean;
  /** It looks for itself again, unless it was given something. */
  release(): void;
}

/** Where the lines are. */
export interface FetchQueue {
  readonly clock: Clock;
  readonly closed: boolean;
  readonly notices: number;
}

/** Until when to wait, ms since the epoch. */
export interface WaitTimes {
  /** The first of a line wakes up then, to look again. */
  readonly lookMs: number;
  /** Nobody waits any longer. */
  readonly endMs: number;
}

/** In a line; disposing leaves it. */
export class WaitingFetch<Request, Claim> implements Disposable {
  readonly request: Request;
  readonly #hall: FetchQueue;
  readonly #line: Set<WaitingFetch<Request, Claim>>;
  /** Ends the wait, where there is one. */
  #end: ((claim?: Claim) => void) | undefined;
  #isReserved = false;
  /** It tries what it has found. */
  #isAway = false;

  constructor(hall: FetchQueue, line: Set<WaitingFetch<Request, Claim>>, request: Request) {
    this.#hall = hall;
    this.#line = line;
    this.request = request;
    line.add(this);
  }

  /** Looks for all who stand behind. */
  get isFirst(): boolean {
    return firstOf(this.#line) === this;
  }

  /** Free to look, and to be given something. */
  get isFree(): boolean {
    return !this.#isReserved && !this.#isAway;
  }

  get waits(): boolean {
    return this.#end !== undefined;
  }

  /** There is something to try; whoever comes next may look for more. */
  handOver(): void {
    this.#change(() => {
      this.#isAway = true;
    });
  }

  /** It was in vain. */
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
   * The first of the line waits until something is written after the notice or until it is time to look, the others
   * until they are the first. Resolves to what was locked for it meanwhile, if anything.
   */
  wait(
    notice: number,
    { lookMs, endMs }: WaitTimes,
    signal: AbortSignal | undefined,
  ): Promise<Claim | undefined> {
    const { clock, closed, notices } = this.#hall;
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
      // Who is reserved waits for what becomes of it, which is a matter of one request.
      if (Number.isFinite(delayMs)) cancel = clock.schedule(Math.max(0, delayMs), () => this.wake());
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  [Symbol.dispose](): void {
    this.#change(() => this.#line.delete(this));
  }

  /** Where another one is the first afterwards, it begins to look. */
  #change(change: () => void): void {
    const before = firstOf(this.#line);
    change();
    const after = firstOf(this.#line);
    if (after !== before) after?.wake();
  }
}

/** The one that looks for all; those who try something or are about to be given something do not. */
export function firstOf<Request, Claim>(
  line: Iterable<WaitingFetch<Request, Claim>>,
): WaitingFetch<Request, Claim> | undefined {
  for (const place of line) if (place.isFree) return place;
  return undefined;
}
