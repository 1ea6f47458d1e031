/**
 * Runs one piece of work while this process does nothing else (docs/decisions/attempts-and-blocked-work.md). Work
 * above its attempt limit may end the process itself, or may only have run beside work that does; a run without other
 * work shows which.
 *
 * - lone-runs.L1: While lone work waits or runs, no slot fetches: fetches under way are aborted, further ones wait.
 * - lone-runs.L2: Lone work runs one piece at a time, after everything else that the process was running has ended.
 * - lone-runs.L3: Handlers that never end must not keep lone work from running: after PATIENCE_MS it runs beside them.
 * - lone-runs.L4: A lone run that takes longer than LONGEST_MS continues, and the process fetches other work again.
 */
import { type Clock, sleep } from "../../contract/clock.ts";
import { onAbort } from "../../contract/on-abort.ts";
import { invariant } from "../../errors/invariant.ts";

/** Lone runs that end with their process before the work is poison; some may coincide with unrelated ends. */
const LONE_RUNS = 3;

/** The counts of the store. `attemptCount` excludes the deliveries of lone runs, which were taken off for waiting. */
interface Attempts {
  readonly attemptCount: number;
  readonly loneRuns?: number;
}

/**
 * Whether work above its limit has had its lone runs. The store counts them apart from attempts, because a process can
 * also end while the work waits for its lone run.
 */
export function isExhaustedAlone({ loneRuns = 0 }: Attempts): boolean {
  return loneRuns >= LONE_RUNS;
}

/** Lone runs beyond those that every piece of work has. */
export function furtherLoneRuns({ loneRuns = 0 }: Attempts): number {
  return Math.max(0, loneRuns - LONE_RUNS);
}

/**
 * The lock for a delivery that is not the first. Where a starved machine or handlers that compute made the last locks too
 * short, a lock of the same length would be lost again. A process that ends delays the work by as much.
 */
export function lockForMs(lockTimeoutMs: number, { attemptCount }: Attempts): number {
  return lockTimeoutMs * Math.min(Math.max(1, attemptCount - 1), LONGEST_LOCKS);
}

/** The attempts that a failure reports: with this delivery, or without it where lone runs preceded it. */
export function attemptsBefore({ attemptCount, loneRuns = 0 }: Attempts): number {
  return loneRuns === 0 ? attemptCount : attemptCount - 1 + loneRuns;
}

/** The longest lock of a repeated delivery, in lock timeouts. */
const LONGEST_LOCKS = 10;

const PATIENCE_MS = 10_000;
const LONGEST_MS = 60_000;

export class LoneRuns {
  readonly #clock: Clock;
  readonly #stopping: AbortSignal;
  /** Slots that fetch or handle work, including those with lone work. */
  #busy = 0;
  /** Slots whose lone work waits or runs. */
  #lone = 0;
  #closedAtMs = 0;
  #last: Promise<unknown> = Promise.resolve();
  #fetches = new AbortController();
  #opened: PromiseWithResolvers<void> | undefined;
  #ended: PromiseWithResolvers<void> | undefined;

  constructor(clock: Clock, stopping: AbortSignal) {
    this.#clock = clock;
    this.#stopping = stopping;
    onAbort(stopping, () => this.#stop());
  }

  /** Aborts when lone work waits, or when the runtime stops. */
  get fetchSignal(): AbortSignal {
    return this.#fetches.signal;
  }

  /** Aborts the fetches in flight. Slots may repeat them at once. */
  interruptFetches(): void {
    this.#fetches.abort();
    if (!this.closed && !this.#stopping.aborted) this.#fetches = new AbortController();
  }

  /** Whether fetches have to wait (lone-runs.L1). */
  get closed(): boolean {
    return this.#lone > 0;
  }

  /** Resolves when fetches may continue, or when the runtime stops. */
  async opened(): Promise<void> {
    while (this.closed && !this.#stopping.aborted) {
      this.#opened ??= Promise.withResolvers();
      await this.#opened.promise;
    }
  }

  /** A slot begins a fetch. It leaves when the fetched work has been handled. */
  enter(): void {
    this.#busy++;
  }

  leave(): void {
    this.#busy--;
    this.#ended?.resolve();
    this.#ended = undefined;
  }

  /**
   * Runs `work` alone in its turn; to be called by a busy slot. Resolves with `undefined` where the runtime stops
   * before its turn comes.
   */
  async run<T>(work: () => Promise<T>): Promise<T | undefined> {
    invariant(this.#busy > this.#lone, "lone-runs.L2");
    if (this.#lone++ === 0) this.#close();
    const turn = this.#last.then(() => this.#inTurn(work));
    this.#last = turn.then(({ released }) => released);
    const { result, released } = await turn;
    await released;
    if (--this.#lone === 0) this.#open();
    return result;
  }

  async #inTurn<T>(
    work: () => Promise<T>,
  ): Promise<{ readonly result: Promise<T | undefined>; readonly released: Promise<unknown> }> {
    await this.#othersEnded();
    if (this.#stopping.aborted) return { result: Promise.resolve(undefined), released: Promise.resolve() };
    const result = work();
    const longest = new AbortController();
    const ended = result.then(
      () => longest.abort(),
      () => longest.abort(),
    );
    return { result, released: Promise.race([ended, sleep(this.#clock, LONGEST_MS, longest.signal)]) };
  }

  /** Resolves when all other work has ended, or after PATIENCE_MS (lone-runs.L3). */
  async #othersEnded(): Promise<void> {
    while (this.#busy > this.#lone && !this.#stopping.aborted) {
      const leftMs = this.#closedAtMs + PATIENCE_MS - this.#clock.now();
      if (leftMs <= 0) return;
      this.#ended ??= Promise.withResolvers();
      const ended = new AbortController();
      await Promise.race([this.#ended.promise, sleep(this.#clock, leftMs, ended.signal)]);
      ended.abort();
    }
  }

  #close(): void {
    this.#closedAtMs = this.#clock.now();
    this.#fetches.abort();
  }

  #open(): void {
    if (!this.#stopping.aborted) this.#fetches = new AbortController();
    this.#opened?.resolve();
    this.#opened = undefined;
  }

  #stop(): void {
    this.#fetches.abort();
    this.#opened?.resolve();
    this.#ended?.resolve();
  }
}
