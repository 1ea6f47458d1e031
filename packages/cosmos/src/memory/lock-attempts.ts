/**
 * Locks that this process is about to take, so that no two of its fetches try the same one.
 *
 * 1. A fetch that meets such an attempt tries something else: most attempts end with the lock.
 * 2. An attempt may end without it, because the fetch that made it does not accept what it found. A fetch that accepts
 *    something else, or that does not wait for later messages, looks again then: nobody else tells it of the work.
 */
import type { CancelTimer, Clock } from "@duroxide-ts/core";

/** What a fetch accepts, and whether it waits for what comes. */
export interface Attempting {
  /** Equal for fetches that decline the same. */
  readonly asks: string;
  readonly waits: boolean;
}

/** How long a fetch waits for an attempt. */
export interface WaitLimit {
  readonly untilMs: number;
  readonly signal?: AbortSignal;
}

interface Attempt {
  /** Undefined where it declines nothing. */
  readonly asks: string | undefined;
  ends: ((isLocked: boolean) => void)[] | undefined;
}

export class LockAttempts {
  readonly #attempts = new Map<string, Attempt>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(id: string): boolean {
    return this.#attempts.has(id);
  }

  /** `asks` where the attempt may decline what it finds. */
  begin(id: string, asks?: string): void {
    this.#attempts.set(id, { asks, ends: undefined });
  }

  end(id: string, isLocked: boolean): void {
    const attempt = this.#attempts.get(id);
    this.#attempts.delete(id);
    if (attempt?.ends !== undefined) for (const end of attempt.ends) end(isLocked);
  }

  /** Whether the attempt under way can leave something that the fetch is not told of. */
  mayLeave(id: string, { asks, waits }: Attempting): boolean {
    const attempt = this.#attempts.get(id);
    if (attempt === undefined) return false;
    return !waits || (attempt.asks !== undefined && attempt.asks !== asks);
  }

  /** True once the attempt under way has ended without the lock; false where it has the lock, or time is up. */
  isLeft(id: string, until: WaitLimit): Promise<boolean> {
    const attempt = this.#attempts.get(id);
    if (attempt === undefined) return Promise.resolve(true);
    return new Promise((resolve) => {
      let cancel: CancelTimer = () => {};
      const settle = (isLeft: boolean): void => {
        cancel();
        until.signal?.removeEventListener("abort", giveUp);
        resolve(isLeft);
      };
      const giveUp = (): void => settle(false);
      attempt.ends ??= [];
      attempt.ends.push((isLocked) => settle(!isLocked));
      cancel = this.#clock.schedule(Math.max(0, until.untilMs - this.#clock.now()), giveUp);
      until.signal?.addEventListener("abort", giveUp, { once: true });
      if (until.signal?.aborted === true) giveUp();
    });
  }
}
