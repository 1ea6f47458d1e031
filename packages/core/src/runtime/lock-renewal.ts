/** Keeps a lock alive while somebody works under it (docs/reference/runtime-semantics.md §3.3). */
import type { CancelTimer, Clock } from "../contract/clock.ts";
import { ProviderError } from "../contract/provider-error.ts";

export interface RenewalOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly bufferMs: number;
  readonly renew: () => Promise<void>;
  /** Ends the renewals: the runtime is gone, though the handler that it worked for may still run. */
  readonly until: AbortSignal;
  /** The lock is gone, or its time ran out while the store could not be reached. Called at most once. */
  readonly onLost: (error: unknown) => void;
}

const LONG_LOCK_MS = 15_000;
/** Between the first failed renewal and the end of the lock. */
const RETRIES = 5;

/** Long locks are renewed a buffer before their end, short ones at half their time. */
export function renewalIntervalMs(timeoutMs: number, bufferMs: number): number {
  if (timeoutMs < LONG_LOCK_MS) return Math.max(1, Math.floor(timeoutMs / 2));
  return Math.max(1_000, timeoutMs - Math.min(bufferMs, timeoutMs));
}

export class LockRenewal implements Disposable {
  readonly #options: RenewalOptions;
  readonly #intervalMs: number;
  #expiresAtMs: number;
  #cancelTimer: CancelTimer | undefined;
  #stopped = false;

  constructor(options: RenewalOptions) {
    this.#options = options;
    this.#intervalMs = renewalIntervalMs(options.timeoutMs, options.bufferMs);
    this.#expiresAtMs = options.clock.now() + options.timeoutMs;
    this.#renewIn(this.#intervalMs);
  }

  /** Whether the lock is still ours, as far as this process can tell. */
  get holds(): boolean {
    return !this.#stopped && this.#options.clock.now() < this.#expiresAtMs;
  }

  [Symbol.dispose](): void {
    this.#stopped = true;
    this.#cancelTimer?.();
  }

  #renewIn(delayMs: number): void {
    this.#cancelTimer = this.#options.clock.schedule(delayMs, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    const { clock, renew, timeoutMs, until } = this.#options;
    if (until.aborted) return;
    const askedAtMs = clock.now();
    try {
      await renew();
      this.#expiresAtMs = askedAtMs + timeoutMs;
      if (!this.#stopped) this.#renewIn(this.#intervalMs);
    } catch (error) {
      if (!this.#stopped) this.#failed(error);
    }
  }

  /** A passing fault is no reason to give up while the lock still holds. */
  #failed(error: unknown): void {
    const { clock, onLost, timeoutMs } = this.#options;
    const leftMs = this.#expiresAtMs - clock.now();
    if (ProviderError.is(error) && error.retryable && leftMs > 0) {
      const pauseMs = Math.max(1, Math.floor((timeoutMs - this.#intervalMs) / RETRIES));
      this.#renewIn(Math.min(leftMs, pauseMs));
      return;
    }
    this[Symbol.dispose]();
    onLost(error);
  }
}
