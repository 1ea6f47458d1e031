/**
 * Lock attempts in progress, so that no two fetches of this process try the same lock.
 *
 * - lock-attempts.LA1: A fetch that finds such an attempt tries another item, because most attempts end with the lock.
 * - lock-attempts.LA2: An attempt may end without the lock, because its fetch does not accept the item. A fetch that
 *   accepts other items, or that does not wait for later messages, then searches again, because it is not notified
 *   otherwise.
 */
import type { CancelTimer, Clock } from "@duroxide-ts/core";
import { onAbort } from "@duroxide-ts/core/stores";

/** The items that a fetch accepts, and whether it waits for later messages. */
export interface Attempting {
  /** Equal for fetches that decline the same items. */
  readonly asks: string;
  readonly waits: boolean;
}

/** How long a fetch waits for an attempt. */
export interface WaitLimit {
  readonly untilMs: number;
  readonly signal?: AbortSignal;
}

interface Attempt {
  /** Undefined if it accepts all items. */
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

  /** `asks` is set if the attempt may decline the item. */
  begin(id: string, asks?: string): void {
    this.#attempts.set(id, { asks, ends: undefined });
  }

  end(id: string, isLocked: boolean): void {
    const attempt = this.#attempts.get(id);
    this.#attempts.delete(id);
    if (attempt?.ends !== undefined) for (const end of attempt.ends) end(isLocked);
  }

  /** Whether the attempt in progress may leave an item of which the fetch is not notified. */
  mayLeave(id: string, { asks, waits }: Attempting): boolean {
    const attempt = this.#attempts.get(id);
    if (attempt === undefined) return false;
    return !waits || (attempt.asks !== undefined && attempt.asks !== asks);
  }

  /** True when the attempt in progress has ended without the lock; false if it has the lock, or the time is over. */
  isLeft(id: string, until: WaitLimit): Promise<boolean> {
    const attempt = this.#attempts.get(id);
    if (attempt === undefined) return Promise.resolve(true);
    return new Promise((resolve) => {
      let cancel: CancelTimer = () => {};
      const settle = (isLeft: boolean): void => {
        cancel();
        forget();
        resolve(isLeft);
      };
      const giveUp = (): void => settle(false);
      const forget = onAbort(until.signal, giveUp);
      attempt.ends ??= [];
      attempt.ends.push((isLocked) => settle(!isLocked));
      cancel = this.#clock.schedule(Math.max(0, until.untilMs - this.#clock.now()), giveUp);
      if (until.signal?.aborted === true) giveUp();
    });
  }
}
